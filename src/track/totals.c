/* Peak arithmetic; see totals.h for the idea. */
#include "track/totals.h"

#include <stddef.h>

/* Before a site changes: keep what it held at the device's mark, unless that was done since the mark moved. */
static void keep_peak(const struct gmt_totals *totals, struct gmt_site_record *site)
{
    if (!totals || site->at_peak_generation == totals->peak_generation)
        return;
    site->at_peak_bytes = site->live_bytes;
    site->at_peak_count = site->live_count;
    site->at_peak_generation = totals->peak_generation;
}

void gmt_totals_restore(struct gmt_totals *totals, struct gmt_site_record *site, uint64_t bytes, uint64_t now_ns)
{
    keep_peak(totals, site);
    site->live_bytes += bytes;
    site->live_count++;
    if (site->live_bytes > site->peak_bytes)
        site->peak_bytes = site->live_bytes;
    if (!totals)
        return;
    totals->live_bytes += bytes;
    totals->live_count++;
    if (totals->live_bytes > totals->peak_bytes) {
        totals->peak_bytes = totals->live_bytes;
        totals->peak_count = totals->live_count;
        totals->peak_ns = now_ns;
        totals->peak_generation++;
    }
}

void gmt_totals_add(struct gmt_totals *totals, struct gmt_site_record *site, uint64_t bytes, uint64_t now_ns)
{
    gmt_totals_restore(totals, site, bytes, now_ns);
    site->total_bytes += bytes;
    site->total_count++;
    site->last_ns = now_ns;
    if (totals) {
        totals->total_bytes += bytes;
        totals->total_count++;
    }
}

void gmt_totals_remove(struct gmt_totals *totals, struct gmt_site_record *site, uint64_t bytes)
{
    keep_peak(totals, site);
    site->live_bytes -= bytes;
    site->live_count--;
    if (totals) {
        totals->live_bytes -= bytes;
        totals->live_count--;
    }
}

/* Sums and exact peaks. The high-water mark of a device is kept by copy-on-write per call site: when the mark moves
 * only a generation number changes; a site copies what it holds before its first change afterwards. So each event costs
 * O(1) and the peak by site is exact. Not thread-safe: the tracker's lock guards it. */
#ifndef GMT_TRACK_TOTALS_H
#define GMT_TRACK_TOTALS_H

#include "track/trace_file.h"

/* A new block. `totals` may be NULL when the device is unknown. `now_ns` counts from the start of the trace. */
void gmt_totals_add(struct gmt_totals *totals, struct gmt_site_record *site, uint64_t bytes, uint64_t now_ns);

/* A block that went. */
void gmt_totals_remove(struct gmt_totals *totals, struct gmt_site_record *site, uint64_t bytes);

/* A block that had gone and came back because its free failed: live again, but not a new one. */
void gmt_totals_restore(struct gmt_totals *totals, struct gmt_site_record *site, uint64_t bytes, uint64_t now_ns);

#endif

/* The deep walker: recomputes every sum from the block records, and looks every block up. For tests and development
 * builds, while no free is under way. */
#include "track/tracker_state.h"

#define CHECK(condition) ((condition) ? (void)0 : __builtin_trap())

static void audit_sites(struct gmt_tracker *tracker)
{
    struct gmt_trace *trace = &tracker->trace;
    uint64_t blocks = trace->header->sections[GMT_SECTION_BLOCKS].used;
    uint64_t sites = trace->header->sections[GMT_SECTION_SITES].used;
    for (uint64_t s = 0; s < sites; s++) {
        const struct gmt_site_record *site = &GMT_RECORDS(trace, SITES)[s];
        uint64_t bytes = 0;
        uint64_t count = 0;
        for (uint64_t b = 0; b < blocks; b++) {
            const struct gmt_block_record *block = &GMT_RECORDS(trace, BLOCKS)[b];
            if (block->state != GMT_BLOCK_LIVE || block->site != s)
                continue;
            bytes += block->bytes;
            count++;
        }
        CHECK(site->live_bytes == bytes && site->live_count == count);
        CHECK(site->peak_bytes >= site->live_bytes && site->total_count >= site->live_count);
    }
}

static void audit_device(struct gmt_tracker *tracker, uint32_t device)
{
    struct gmt_trace *trace = &tracker->trace;
    uint64_t sites = trace->header->sections[GMT_SECTION_SITES].used;
    for (unsigned space = 0; space < GMT_SPACE_COUNT; space++) {
        const struct gmt_totals *totals = &GMT_RECORDS(trace, DEVICES)[device].totals[space];
        uint64_t live = 0;
        uint64_t at_peak = 0;
        for (uint64_t s = 0; s < sites; s++) {
            const struct gmt_site_record *site = &GMT_RECORDS(trace, SITES)[s];
            if (gmt_tracker_totals(tracker, site) != totals)
                continue;
            uint64_t bytes;
            uint64_t count;
            gmt_site_at_peak(site, totals, &bytes, &count);
            live += site->live_bytes;
            at_peak += bytes;
        }
        CHECK(totals->live_bytes == live && totals->peak_bytes >= live);
        CHECK(totals->peak_bytes == at_peak);
    }
}

/* Each live block is found by its address, but for memory that only mappings hold, and what there was no memory to
 * index. */
static void audit_index(struct gmt_tracker *tracker)
{
    uint64_t blocks = tracker->trace.header->sections[GMT_SECTION_BLOCKS].used;
    bool complete = tracker->trace.header->troubles[GMT_TROUBLE_NO_MEMORY] == 0;
    uint64_t variables = 0;
    for (uint64_t b = 0; b < blocks; b++) {
        const struct gmt_block_record *block = GMT_BLOCK(tracker, b);
        if (block->state != GMT_BLOCK_LIVE)
            continue;
        enum gmt_family family = gmt_tracker_family(tracker, block);
        uint32_t found = gmt_tracker_find(tracker, family, block->address);
        bool held_by_mappings = block->references == 0 && block->mappings > 0 && family == GMT_FAMILY_HANDLE;
        CHECK(held_by_mappings ? found != b : found == b || !complete);
        CHECK(held_by_mappings || block->references > 0);
        variables += family == GMT_FAMILY_VARIABLE;
    }
    CHECK(tracker->variables == variables);
}

/* Physical memory knows how many mappings it has. A mapping that is being unmapped still counts. */
static void audit_mappings(struct gmt_tracker *tracker)
{
    uint64_t blocks = tracker->trace.header->sections[GMT_SECTION_BLOCKS].used;
    for (uint64_t m = 0; m < blocks; m++) {
        const struct gmt_block_record *memory = GMT_BLOCK(tracker, m);
        uint32_t mappings = 0;
        if (memory->state != GMT_BLOCK_LIVE)
            continue;
        for (uint64_t b = 0; b < blocks && memory->mappings > 0; b++) {
            const struct gmt_block_record *block = GMT_BLOCK(tracker, b);
            bool there = block->state == GMT_BLOCK_LIVE || block->state == GMT_BLOCK_FREEING;
            mappings += there && block->owner == m && gmt_tracker_family(tracker, block) == GMT_FAMILY_MAPPING;
        }
        CHECK(memory->mappings == mappings);
        CHECK(mappings == 0 || gmt_tracker_family(tracker, memory) == GMT_FAMILY_HANDLE);
    }
}

void gmt_tracker_audit(struct gmt_tracker *tracker)
{
    if (!gmt_tracker_enter(tracker))
        return;
    audit_sites(tracker);
    audit_index(tracker);
    audit_mappings(tracker);
    for (uint32_t d = 0; d < tracker->trace.header->sections[GMT_SECTION_DEVICES].used; d++)
        audit_device(tracker, d);
    gmt_tracker_leave(tracker);
}

/* See freed_history.h. */
#include "track/freed_history.h"

#include <stddef.h>

#include "base/uthash_setup.h"

void gmt_freed_history_init(struct gmt_trace *trace)
{
    uint64_t records = GMT_FREED_WAYS; /* a power of two of sets, so that no division is needed to find one */
    while (2 * records <= trace->header->sections[GMT_SECTION_FREED].capacity)
        records *= 2;
    gmt_trace_append(trace, GMT_SECTION_FREED, (uint32_t)records);
}

/* The GMT_FREED_WAYS records that an address may lie in, or NULL. */
static struct gmt_freed_record *set_of(const struct gmt_trace *trace, uint32_t family, uint64_t address)
{
    uint64_t sets = trace->header->sections[GMT_SECTION_FREED].used / GMT_FREED_WAYS;
    uint64_t hash = gmt_hash_u64(address ^ (uint64_t)family << 56);
    return sets > 0 ? &GMT_RECORDS(trace, FREED)[((hash >> 32) & (sets - 1)) * GMT_FREED_WAYS] : NULL;
}

static struct gmt_freed_record *find(const struct gmt_trace *trace, uint32_t family, uint64_t address)
{
    struct gmt_freed_record *set = set_of(trace, family, address);
    for (unsigned i = 0; set && i < GMT_FREED_WAYS; i++) {
        if (set[i].time_ns != 0 && set[i].address == address && set[i].family == family)
            return &set[i];
    }
    return NULL;
}

void gmt_freed_history_add(struct gmt_trace *trace, const struct gmt_freed_record *freed)
{
    struct gmt_freed_record *set = set_of(trace, freed->family, freed->address);
    if (!set)
        return;
    struct gmt_freed_record *place = &set[0]; /* that of an earlier free of the same, or the oldest */
    for (unsigned i = 0; i < GMT_FREED_WAYS; i++) {
        if (set[i].address == freed->address && set[i].family == freed->family) {
            place = &set[i];
            break;
        }
        if (set[i].time_ns < place->time_ns)
            place = &set[i];
    }
    *place = *freed;
    if (place->time_ns == 0)
        place->time_ns = 1;
}

const struct gmt_freed_record *gmt_freed_history_find(const struct gmt_trace *trace, uint32_t family, uint64_t address)
{
    return find(trace, family, address);
}

void gmt_freed_history_drop(struct gmt_trace *trace, uint32_t family, uint64_t address)
{
    struct gmt_freed_record *freed = find(trace, family, address);
    if (freed)
        freed->time_ns = 0;
}

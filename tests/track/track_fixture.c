/* See track_fixture.h. */
#include "track_fixture.h"

#include <unistd.h>

#include "base/clock.h"

struct gmt_tracker tracker;
char tracker_folder[GMT_SCRATCH_BYTES];
uint64_t tracker_now;
struct gmt_tracker_setup tracker_setup;

static const char *const entry_names[ENTRY_COUNT] = {"cuInit", "cuMemAlloc_v2", "cuMemFree_v2", "cuMemAllocManaged",
                                                     "cuCtxCreate_v2"};

static uint64_t read_tracker_now(void)
{
    return tracker_now;
}

int open_tracker(void **state)
{
    (void)state;
    gmt_scratch_make(tracker_folder);
    tracker_setup = (struct gmt_tracker_setup){
        .folder = tracker_folder,
        .max_blocks = 10000,
        .max_memory = (uint64_t)64 << 20,
        .entry_names = entry_names,
        .entry_count = ENTRY_COUNT,
        .options = "dir=scratch",
        .driver_version = 13000,
    };
    tracker_now = 1000;
    gmt_clock_replace(read_tracker_now);
    return gmt_tracker_open(&tracker, &tracker_setup);
}

int close_tracker(void **state)
{
    (void)state;
    if (HEADER) {
        gmt_tracker_audit(&tracker);
        gmt_tracker_close(&tracker);
    }
    gmt_clock_replace(NULL);
    gmt_scratch_remove(tracker_folder);
    return 0;
}

int reopen_tracker(void)
{
    unlink(gmt_tracker_path(&tracker)); /* of one process a folder takes nine, further ones go elsewhere */
    gmt_tracker_close(&tracker);
    return gmt_tracker_open(&tracker, &tracker_setup);
}

uint32_t stack_number(unsigned number)
{
    struct gmt_unwound unwound = {.depth = 1};
    unwound.pcs[0] = 0x1000 + number;
    unwound.hash = number;
    return gmt_tracker_stack(&tracker, &unwound, 0);
}

struct gmt_event allocation(uint64_t address, uint64_t bytes)
{
    return (struct gmt_event){
        .entry = ENTRY_ALLOC,
        .kind = GMT_KIND_DEVICE,
        .address = address,
        .bytes = bytes,
        .context = GMT_NONE,
        .thread = 42,
        .stack = stack_number(0),
        .last_block = GMT_NONE,
        .last_memory = GMT_NONE,
    };
}

struct gmt_event free_event(void)
{
    return (struct gmt_event){.entry = ENTRY_FREE,
                              .context = GMT_NONE,
                              .thread = 43,
                              .stack = stack_number(90),
                              .last_block = GMT_NONE,
                              .last_memory = GMT_NONE};
}

void add(uint64_t address, uint64_t bytes)
{
    struct gmt_event event = allocation(address, bytes);
    gmt_tracker_add(&tracker, &event);
}

struct gmt_taken begin_free(enum gmt_family family, uint64_t address)
{
    struct gmt_taken taken;
    if (!gmt_tracker_free_begin(&tracker, family, address, &taken))
        fail_msg("nothing lives at %llx of family %d", (unsigned long long)address, family);
    return taken;
}

void free_of(enum gmt_family family, uint64_t address)
{
    struct gmt_taken taken = begin_free(family, address);
    struct gmt_event event = free_event();
    gmt_tracker_free_commit(&tracker, &taken, &event);
}

void free_block(uint64_t address)
{
    free_of(GMT_FAMILY_ADDRESS, address);
}

bool is_free(enum gmt_family family, uint64_t address)
{
    struct gmt_taken taken;
    return !gmt_tracker_free_begin(&tracker, family, address, &taken) && !taken.node;
}

struct gmt_event taking(enum gmt_kind kind, uint64_t address, uint64_t bytes)
{
    struct gmt_event event = allocation(address, bytes);
    event.kind = (uint8_t)kind;
    return event;
}

uint32_t add_kind(enum gmt_kind kind, uint64_t address, uint64_t bytes)
{
    struct gmt_event event = taking(kind, address, bytes);
    return gmt_tracker_add(&tracker, &event);
}

const struct gmt_totals *device_totals(unsigned device, enum gmt_space space)
{
    return &RECORD(DEVICES, device)->totals[space];
}

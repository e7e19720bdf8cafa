/* The trace files that golden tests are made from. Their figures stand in the golden files as literals. */
#include "trace_fixture.h"

#include <string.h>

#include "sample_holders.h"

#define MIB (UINT64_C(1) << 20)

struct common {
    uint32_t malloc_entry, host_entry, free_entry;
    uint32_t app, cudart, libc;
    uint32_t load_stack, train_stack;
};

/* Modules that exist nowhere: names must come out as module and offset. */
static struct common add_common(struct fixture *fixture)
{
    struct common common;
    fixture_device(fixture, 0, "Test Device");
    common.malloc_entry = fixture_entry(fixture, "cuMemAlloc_v2", 7, 0);
    common.host_entry = fixture_entry(fixture, "cuMemHostAlloc", 2, 0);
    common.free_entry = fixture_entry(fixture, "cuMemFree_v2", 4, 1);
    common.app = fixture_module(fixture, "/home/user/app", "00112233445566778899aabbccddeeff00112233");
    common.cudart = fixture_module(fixture, "/opt/cuda/lib64/libcudart.so.13", NULL);
    common.libc = fixture_module(fixture, "/opt/libc/libc.so.6", NULL);
    const uint64_t load[] = {common.cudart, 0x2000, common.app, 0x1234, common.app, 0x1500, common.libc, 0x100};
    const uint64_t train[] = {common.app, 0x1300, common.app, 0x1510};
    common.load_stack = fixture_stack(fixture, load, 4);
    common.train_stack = fixture_stack(fixture, train, 2);
    uint32_t client = fixture_add(fixture, GMT_SECTION_CLIENTS);
    struct gmt_client_record *record = fixture_record(fixture, GMT_SECTION_CLIENTS, client);
    *record = (struct gmt_client_record){.state = 1, .module = common.cudart, .uses = {0, 1, 440}};
    fixture->header.own_bytes = 3 * MIB;
    return common;
}

/* Three blocks of 4 MiB from one site and one pinned block of 64 KiB that nobody freed; 20 MiB at the peak. */
static void add_leak(struct fixture *fixture)
{
    struct common common = add_common(fixture);
    uint32_t load = fixture_site(fixture, common.malloc_entry, common.load_stack, GMT_KIND_DEVICE, 0);
    uint32_t train = fixture_site(fixture, common.malloc_entry, common.train_stack, GMT_KIND_DEVICE, 0);
    uint32_t pinned = fixture_site(fixture, common.host_entry, common.train_stack, GMT_KIND_PINNED, 0);
    for (unsigned i = 0; i < 3; i++)
        fixture_block(fixture, load, 4 * MIB, GMT_BLOCK_LIVE);
    fixture_block(fixture, train, 8 * MIB, GMT_BLOCK_UNUSED);
    fixture_block(fixture, pinned, 65536, GMT_BLOCK_LIVE);
    /* The peak came before the 8 MiB were freed; the site kept a copy then. */
    struct gmt_device_record *device = fixture_record(fixture, GMT_SECTION_DEVICES, 0);
    struct gmt_site_record *site = fixture_record(fixture, GMT_SECTION_SITES, train);
    site->at_peak_generation = device->totals[GMT_SPACE_DEVICE].peak_generation;
    site->at_peak_bytes = site->live_bytes;
    site->at_peak_count = site->live_count;
    site->live_bytes = site->live_count = 0;
}

static void add_clean(struct fixture *fixture)
{
    struct common common = add_common(fixture);
    uint32_t load = fixture_site(fixture, common.malloc_entry, common.load_stack, GMT_KIND_DEVICE, 0);
    for (unsigned i = 0; i < 5; i++)
        fixture_block(fixture, load, 4 * MIB, GMT_BLOCK_UNUSED);
}

static void add_oom(struct fixture *fixture, int recovered)
{
    struct common common = add_common(fixture);
    uint32_t load = fixture_site(fixture, common.malloc_entry, common.load_stack, GMT_KIND_DEVICE, 0);
    fixture_block(fixture, load, 6144 * MIB, GMT_BLOCK_UNUSED);
    struct gmt_device_record *device = fixture_record(fixture, GMT_SECTION_DEVICES, 0);
    uint32_t index = fixture_add(fixture, GMT_SECTION_OOMS);
    struct gmt_oom_record *oom = fixture_record(fixture, GMT_SECTION_OOMS, index);
    *oom = (struct gmt_oom_record){.state = 1,
                                   .stack = common.train_stack,
                                   .entry = (uint16_t)common.malloc_entry,
                                   .top_count = 1,
                                   .code = 2,
                                   .device = 0,
                                   .later_success = (uint32_t)recovered,
                                   .time_ns = UINT64_C(1500000000),
                                   .request_bytes = 2560 * MIB,
                                   .free_bytes = 1920 * MIB,
                                   .total_bytes = 8192 * MIB};
    oom->totals[GMT_SPACE_DEVICE] = device->totals[GMT_SPACE_DEVICE];
    oom->totals[GMT_SPACE_DEVICE].live_bytes = 6144 * MIB;
    oom->totals[GMT_SPACE_DEVICE].live_count = 1;
    oom->top[0].site = load;
    oom->top[0].live_bytes = 6144 * MIB;
    oom->top[0].live_count = 1;
}

static uint32_t add_context(struct fixture *fixture, enum gmt_context_state state)
{
    uint32_t index = fixture_add(fixture, GMT_SECTION_CONTEXTS);
    struct gmt_context_record *record = fixture_record(fixture, GMT_SECTION_CONTEXTS, index);
    *record = (struct gmt_context_record){
        .handle = 0xc0de + index, .state = state, .primary = 1, .created_stack = GMT_NONE, .ended_stack = GMT_NONE};
    return index;
}

/* One block ended by each way a context can end, one live, one whose free was under way. */
static void add_ended(struct fixture *fixture)
{
    struct common common = add_common(fixture);
    uint32_t site = fixture_site(fixture, common.malloc_entry, common.load_stack, GMT_KIND_DEVICE, 0);
    static const enum gmt_context_state states[] = {GMT_CONTEXT_RELEASED, GMT_CONTEXT_RESET, GMT_CONTEXT_DESTROYED};
    for (unsigned i = 0; i < 3; i++) {
        uint32_t context = add_context(fixture, states[i]);
        fixture_block(fixture, site, (i + 1) * MIB, GMT_BLOCK_ENDED);
        struct gmt_block_record *block = fixture_record(fixture, GMT_SECTION_BLOCKS, i);
        block->context = context;
    }
    fixture_block(fixture, site, 10 * MIB, GMT_BLOCK_LIVE);
    fixture_block(fixture, site, 20 * MIB, GMT_BLOCK_FREEING);
}

/* Failed calls of each kind, a look-up past the hooks, every trouble, anonymous memory. */
static void add_trouble(struct fixture *fixture)
{
    add_clean(fixture);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t index = fixture_add(fixture, GMT_SECTION_FAILURES);
        struct gmt_failure_record *record = fixture_record(fixture, GMT_SECTION_FAILURES, index);
        *record = (struct gmt_failure_record){.state = 1,
                                              .stack = i,
                                              .entry = i == 0 ? 0 : 2,
                                              .kind = (uint16_t)i,
                                              .code = i == GMT_FAILURE_NULL ? 0 : 1,
                                              .count = 3 - i,
                                              .last_address = i == GMT_FAILURE_STRAY ? UINT64_C(0x7f0000000100) : 0,
                                              .last_bytes = i == GMT_FAILURE_FAILED ? 4096 : 0,
                                              .near_site = i == GMT_FAILURE_STRAY ? 0 : GMT_NONE,
                                              .near_address = UINT64_C(0x7f0000000000),
                                              .near_bytes = 4 * MIB};
    }
    fixture->header.flags |= GMT_TRACE_ANONYMOUS;
    fixture->header.bypassed = 2;
    fixture->header.bypassed_name = fixture_string(fixture, "cuMemAlloc");
    for (unsigned i = 0; i < GMT_TROUBLE_COUNT; i++)
        fixture->header.troubles[i] = i + 1;
}

static void add_gaps(struct fixture *fixture)
{
    add_clean(fixture);
    fixture->header.troubles[GMT_TROUBLE_BLOCKS_FULL] = 4;
}

/* 688 MiB that a library took through libstdc++, 2 MiB of the program's own and 1 MiB pinned that the library took. */
static void add_libraries(struct fixture *fixture)
{
    struct common common = add_common(fixture);
    uint32_t nccl = fixture_module(fixture, "/opt/nccl/libnccl.so.2", NULL);
    uint32_t cxx = fixture_module(fixture, "/usr/lib/libstdc++.so.6", NULL);
    const uint64_t init[] = {common.cudart, 0x2000, cxx,  0x10,   GMT_NONE,   UINT64_C(0x7f0000000010),
                             nccl,          0x4000, nccl, 0x5000, common.app, 0x1600};
    uint32_t stack = fixture_stack(fixture, init, 6);
    uint32_t channels = fixture_site(fixture, common.malloc_entry, stack, GMT_KIND_DEVICE, 0);
    uint32_t own = fixture_site(fixture, common.malloc_entry, common.load_stack, GMT_KIND_DEVICE, 0);
    uint32_t pinned = fixture_site(fixture, common.host_entry, stack, GMT_KIND_PINNED, 0);
    for (unsigned i = 0; i < 43; i++)
        fixture_block(fixture, channels, 16 * MIB, GMT_BLOCK_LIVE);
    fixture_block(fixture, own, 2 * MIB, GMT_BLOCK_LIVE);
    fixture_block(fixture, pinned, MIB, GMT_BLOCK_LIVE);
}

/* Functions that call each other 20 times over, recorded to a depth of 44; and a stack whose outer end was not found.
 */
static void add_recursion(struct fixture *fixture)
{
    struct common common = add_common(fixture);
    uint64_t frames[2 * 44] = {common.cudart, 0x2000, common.app, 0x1234};
    for (unsigned i = 2; i < 44; i++) {
        frames[2 * i] = common.app;
        frames[2 * i + 1] = i < 4 ? 0x1800 + i : i % 2 ? 0x1700 : 0x1710;
    }
    uint32_t cut = fixture_stack(fixture, frames, 44);
    ((struct gmt_stack_record *)fixture_record(fixture, GMT_SECTION_STACKS, cut))->flags = GMT_STACK_CUT;
    struct gmt_stack_record *train = fixture_record(fixture, GMT_SECTION_STACKS, common.train_stack);
    train->flags = GMT_STACK_INCOMPLETE;
    uint32_t deep = fixture_site(fixture, common.malloc_entry, cut, GMT_KIND_DEVICE, 0);
    uint32_t open = fixture_site(fixture, common.malloc_entry, common.train_stack, GMT_KIND_DEVICE, 0);
    fixture_block(fixture, deep, 2 * MIB, GMT_BLOCK_LIVE);
    fixture_block(fixture, open, MIB, GMT_BLOCK_LIVE);
}

/* Names that try to end lines, steer terminals, break JSON, or are not UTF-8. */
static void add_names(struct fixture *fixture)
{
    add_leak(fixture);
    fixture->header.arguments = fixture_string(fixture, "\033[31mred\nline\xff\xc3\xa9\"\\");
    fixture->header.host = fixture_string(fixture, "host/../\x7f\xed\xa0\x80");
}

static void add_simulated(struct fixture *fixture)
{
    add_leak(fixture);
    fixture->header.flags |= GMT_TRACE_SIMULATED;
}

/* No such process runs on this host: it ended without writing so. */
static void add_killed(struct fixture *fixture)
{
    add_leak(fixture);
    fixture->header.end = GMT_END_RUNNING;
    fixture->header.exit_status = -1;
}

static void add_fatal_oom(struct fixture *fixture)
{
    add_oom(fixture, 0);
}
static void add_recovered_oom(struct fixture *fixture)
{
    add_oom(fixture, 1);
}
static void add_nothing(struct fixture *fixture)
{
    (void)fixture;
}

int fixture_sample(struct fixture *fixture, const char *name)
{
    static const struct {
        const char *name;
        void (*add)(struct fixture *fixture);
    } samples[] = {
        {"leak", add_leak},
        {"simulated", add_simulated},
        {"killed", add_killed},
        {"clean", add_clean},
        {"empty", add_nothing},
        {"oom", add_fatal_oom},
        {"recovered", add_recovered_oom},
        {"ended", add_ended},
        {"trouble", add_trouble},
        {"gaps", add_gaps},
        {"names", add_names},
        {"libraries", add_libraries},
        {"recursion", add_recursion},
        {"objects", add_objects_sample},
        {"states", add_states_sample},
        {"calls", add_calls_sample},
        {"holders", add_holders_sample},
    };
    fixture_init(fixture);
    for (unsigned i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        if (strcmp(samples[i].name, name) != 0)
            continue;
        samples[i].add(fixture);
        return 1;
    }
    return 0;
}

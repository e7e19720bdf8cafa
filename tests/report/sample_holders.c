/* Samples of what is left besides blocks of device memory, of who ended and who holds it, and of calls that went wrong.
 * Their figures stand in the golden files and in the tests as literals. */
#include "sample_holders.h"

#define MIB (UINT64_C(1) << 20)
#define MS UINT64_C(1000000)

enum { MALLOC, FREE, EVENT, STREAM, RESERVE, CREATE, MAP, MODULE, REGISTER, RESET, TEXTURE, LIMIT, POOL, ENTRIES };

/* Stacks in app: LOAD and TRAIN take, CLEAN gives back. RUNTIME is the runtime on its own account. */
struct common {
    uint32_t app, cudart, plugin;
    uint32_t load, train, clean, runtime, in_plugin;
};

static struct common add_common(struct fixture *fixture)
{
    static const char *const names[ENTRIES] = {"cuMemAlloc_v2",
                                               "cuMemFree_v2",
                                               "cuEventCreate",
                                               "cuStreamCreate",
                                               "cuMemAddressReserve",
                                               "cuMemCreate",
                                               "cuMemMap",
                                               "cuModuleLoadData",
                                               "cuMemHostRegister_v2",
                                               "cuDevicePrimaryCtxReset_v2",
                                               "cuTexObjectCreate",
                                               "cuCtxSetLimit",
                                               "cuMemPoolSetAttribute"};
    struct common common;
    fixture_device(fixture, 0, "Test Device");
    for (unsigned i = 0; i < ENTRIES; i++)
        fixture_entry(fixture, names[i], 1, 0);
    common.app = fixture_module(fixture, "/home/user/app", NULL);
    common.cudart = fixture_module(fixture, "/opt/cuda/lib64/libcudart.so.13", NULL);
    common.plugin = fixture_module(fixture, "/opt/plugin/libplugin.so", NULL);
    const uint64_t load[] = {common.app, 0x100, common.app, 0x900}, train[] = {common.app, 0x200, common.app, 0x900};
    const uint64_t clean[] = {common.app, 0x300, common.app, 0x900};
    const uint64_t runtime[] = {common.cudart, 0x400, common.app, 0x900};
    const uint64_t plugin[] = {common.plugin, 0x500, common.app, 0x900};
    common.load = fixture_stack(fixture, load, 2);
    common.train = fixture_stack(fixture, train, 2);
    common.clean = fixture_stack(fixture, clean, 2);
    common.runtime = fixture_stack(fixture, runtime, 2);
    common.in_plugin = fixture_stack(fixture, plugin, 2);
    return common;
}

static struct gmt_block_record *last_block(struct fixture *fixture)
{
    uint32_t index = (uint32_t)fixture->header.sections[GMT_SECTION_BLOCKS].used - 1;
    return fixture_record(fixture, GMT_SECTION_BLOCKS, index);
}

static struct gmt_block_record *add_block(struct fixture *fixture, uint32_t site, uint64_t bytes)
{
    fixture_block(fixture, site, bytes, GMT_BLOCK_LIVE);
    return last_block(fixture);
}

static uint32_t add_context(struct fixture *fixture, uint32_t device, enum gmt_context_state state, uint32_t created,
                            uint32_t ended)
{
    uint32_t index = fixture_add(fixture, GMT_SECTION_CONTEXTS);
    struct gmt_context_record *record = fixture_record(fixture, GMT_SECTION_CONTEXTS, index);
    *record = (struct gmt_context_record){.handle = 0xc0de + index,
                                          .state = state,
                                          .device = device,
                                          .primary = 1,
                                          .created_stack = created,
                                          .created_entry = MALLOC,
                                          .ended_stack = ended,
                                          .ended_entry = RESET,
                                          .created_ns = 10 * MS,
                                          .ended_ns = 2000 * MS};
    return index;
}

static uint32_t add_thread(struct fixture *fixture, uint32_t id, const char *name, enum gmt_thread_state state)
{
    uint32_t index = fixture_add(fixture, GMT_SECTION_THREADS);
    struct gmt_thread_record *record = fixture_record(fixture, GMT_SECTION_THREADS, index);
    *record = (struct gmt_thread_record){.state = state, .id = id, .name = fixture_string(fixture, name)};
    return index;
}

static void add_ranges(struct fixture *fixture, const struct common *common)
{
    uint32_t reservations = fixture_site(fixture, RESERVE, common->load, GMT_KIND_RESERVATION, GMT_NONE);
    uint32_t mappings = fixture_site(fixture, MAP, common->train, GMT_KIND_MAPPING, GMT_NONE);
    add_block(fixture, reservations, 64 * MIB)->address = 0x100000000;
    add_block(fixture, reservations, 64 * MIB)->address = 0x200000000; /* nothing mapped there */
    struct gmt_block_record *mapped = add_block(fixture, mappings, 2 * MIB);
    mapped->address = 0x100000000 + 64 * MIB - 2 * MIB;
    mapped->flags = GMT_BLOCK_ACCESSIBLE;
    add_block(fixture, mappings, 2 * MIB)->address = 0x200000000 + 64 * MIB; /* right behind the second */
}

static void add_modules(struct fixture *fixture, const struct common *common)
{
    uint32_t modules = fixture_site(fixture, MODULE, common->load, GMT_KIND_MODULE, 0);
    uint32_t libraries = fixture_site(fixture, MODULE, common->runtime, GMT_KIND_LIBRARY, 0);
    uint32_t variables = fixture_site(fixture, MODULE, common->load, GMT_KIND_VARIABLE, 0);
    fixture_block(fixture, modules, 0, GMT_BLOCK_UNUSED); /* so that places in the file and in the reader differ */
    add_block(fixture, modules, 0);
    uint32_t module = (uint32_t)fixture->header.sections[GMT_SECTION_BLOCKS].used - 1;
    add_block(fixture, libraries, 0);
    add_block(fixture, variables, 4096)->owner = module;
    add_block(fixture, variables, 512)->owner = 4000000; /* of no module */
}

/* No leaks: 3 of 5 events, 2 streams that went with a reset and 1 that was destroyed too late, address ranges, a module
 * with variables and one that the runtime loaded. */
void add_objects_sample(struct fixture *fixture)
{
    struct common common = add_common(fixture);
    uint32_t context = add_context(fixture, 0, GMT_CONTEXT_RESET, common.load, common.clean);
    uint32_t events = fixture_site(fixture, EVENT, common.load, GMT_KIND_EVENT, 0);
    uint32_t streams = fixture_site(fixture, STREAM, common.train, GMT_KIND_STREAM, 0);
    for (unsigned i = 0; i < 5; i++)
        fixture_block(fixture, events, 0, i < 3 ? GMT_BLOCK_LIVE : GMT_BLOCK_UNUSED);
    for (unsigned i = 0; i < 2; i++) {
        fixture_block(fixture, streams, 0, GMT_BLOCK_ENDED);
        last_block(fixture)->context = context;
    }
    fixture_block(fixture, streams, 0, GMT_BLOCK_LATE);
    add_ranges(fixture, &common);
    add_modules(fixture, &common);
}

static void add_physical(struct fixture *fixture, const struct common *common)
{
    uint32_t physical = fixture_site(fixture, CREATE, common->load, GMT_KIND_PHYSICAL, 0);
    for (unsigned i = 0; i < 4; i++) {
        struct gmt_block_record *block = add_block(fixture, physical, 2 * MIB);
        block->references = i == 2 ? 0 : 1; /* two by the handle, one by mappings, one by both */
        block->mappings = i < 2 ? 0 : i;
    }
}

static void add_registrations(struct fixture *fixture, const struct common *common)
{
    uint32_t registered = fixture_site(fixture, REGISTER, common->train, GMT_KIND_REGISTERED, 0);
    add_block(fixture, registered, MIB)->flags = GMT_BLOCK_UNMAPPED;
    add_block(fixture, registered, MIB);
}

static uint32_t add_failure(struct fixture *fixture, struct gmt_failure_record failure)
{
    uint32_t index = fixture_add(fixture, GMT_SECTION_FAILURES);
    failure.state = 1;
    if (failure.count == 0)
        failure.count = 1;
    failure.first_ns = failure.last_ns = (500 + index) * MS;
    *(struct gmt_failure_record *)fixture_record(fixture, GMT_SECTION_FAILURES, index) = failure;
    return index;
}

/* Leaks in every state but the simplest: of physical memory and of registrations, ended by a reset, exported, forgotten
 * after an error, by a thread that has ended, by a library that was unloaded, of a site whose other blocks were freed.
 */
void add_states_sample(struct fixture *fixture)
{
    struct common common = add_common(fixture);
    uint32_t context = add_context(fixture, 0, GMT_CONTEXT_RESET, common.load, common.clean);
    uint32_t ended = add_thread(fixture, 4712, "worker", GMT_THREAD_ENDED);
    uint32_t running = add_thread(fixture, 4711, "app", GMT_THREAD_RUNNING);
    add_physical(fixture, &common);
    add_registrations(fixture, &common);
    uint32_t site = fixture_site(fixture, MALLOC, common.load, GMT_KIND_DEVICE, 0);
    fixture_block(fixture, site, 3 * MIB, GMT_BLOCK_ENDED);
    last_block(fixture)->context = context;
    struct gmt_block_record *block = add_block(fixture, site, 5 * MIB);
    block->flags = GMT_BLOCK_EXPORTED;
    block->note_stack = common.train;
    block->thread = running;
    for (unsigned i = 0; i < 2; i++)
        add_block(fixture, site, 5 * MIB)->thread = ended;
    fixture_block(fixture, site, 5 * MIB, GMT_BLOCK_UNUSED);
    struct gmt_site_record *record = fixture_record(fixture, GMT_SECTION_SITES, site);
    record->freed_stack = common.clean;
    record->freed_entry = FREE;
    uint32_t plugin = fixture_site(fixture, MALLOC, common.in_plugin, GMT_KIND_DEVICE, 0);
    ((struct gmt_module_record *)fixture_record(fixture, GMT_SECTION_MODULES, common.plugin))->unloaded = 1;
    add_block(fixture, plugin, MIB)->failed_next =
        add_failure(fixture, (struct gmt_failure_record){.stack = common.in_plugin,
                                                         .entry = STREAM,
                                                         .code = 1,
                                                         .last_thread = running,
                                                         .near_site = GMT_NONE,
                                                         .near_stack = GMT_NONE});
}

static void add_strays(struct fixture *fixture, const struct common *common, uint32_t device, uint32_t array)
{
    static const enum gmt_address_is are[] = {GMT_ADDRESS_INSIDE_BLOCK, GMT_ADDRESS_STACK, GMT_ADDRESS_HOST,
                                              GMT_ADDRESS_OTHER_FAMILY};
    for (unsigned i = 0; i < 4; i++)
        add_failure(fixture, (struct gmt_failure_record){.stack = common->clean,
                                                         .entry = FREE,
                                                         .kind = GMT_FAILURE_STRAY,
                                                         .code = 1,
                                                         .count = 20 - i,
                                                         .last_address = 0x7f0000000000 + (i == 3 ? 0 : 64),
                                                         .address_is = (uint16_t)are[i],
                                                         .last_thread = GMT_NONE,
                                                         .near_site = i == 3 ? array : device,
                                                         .near_stack = GMT_NONE,
                                                         .near_address = 0x7f0000000000,
                                                         .near_bytes = 4 * MIB});
}

/* Frees of every wrong kind, a refused registration, frees that came too late, of what was exported, and of null. */
void add_calls_sample(struct fixture *fixture)
{
    struct common common = add_common(fixture);
    uint32_t thread = add_thread(fixture, 4713, "cleaner", GMT_THREAD_RUNNING);
    uint32_t device = fixture_site(fixture, MALLOC, common.load, GMT_KIND_DEVICE, 0);
    uint32_t array = fixture_site(fixture, CREATE, common.train, GMT_KIND_ARRAY, 0);
    uint32_t registered = fixture_site(fixture, REGISTER, common.train, GMT_KIND_REGISTERED, 0);
    uint32_t events = fixture_site(fixture, EVENT, common.load, GMT_KIND_EVENT, 0);
    struct gmt_block_record *range = add_block(fixture, registered, MIB);
    range->flags = GMT_BLOCK_UNMAPPED;
    fixture_block(fixture, events, 0, GMT_BLOCK_LATE);
    add_strays(fixture, &common, device, array);
    struct gmt_failure_record free_of_block = {.stack = common.clean,
                                               .entry = FREE,
                                               .code = 201,
                                               .last_address = 0x7f0000400000,
                                               .last_thread = thread,
                                               .near_site = device,
                                               .near_stack = GMT_NONE,
                                               .near_address = 0x7f0000400000,
                                               .near_bytes = MIB,
                                               .near_ns = 100 * MS};
    struct gmt_failure_record call = free_of_block;
    call.no_context = 1;
    add_failure(fixture, call);
    call = free_of_block;
    call.kind = GMT_FAILURE_DOUBLE;
    call.code = 1;
    call.count = 2;
    call.near_stack = common.train;
    add_failure(fixture, call);
    call.kind = GMT_FAILURE_EXPORTED;
    call.code = 0;
    add_failure(fixture, call);
    call = (struct gmt_failure_record){
        .stack = common.load, .entry = REGISTER, .code = 712, .last_address = range->address};
    call.last_thread = GMT_NONE;
    call.near_site = registered;
    call.near_address = range->address;
    call.near_bytes = MIB;
    add_failure(fixture, call);
    call = (struct gmt_failure_record){
        .stack = common.clean, .entry = EVENT, .kind = GMT_FAILURE_LATE, .code = 4, .count = 64, .near_site = events};
    add_failure(fixture, call);
    call = (struct gmt_failure_record){.stack = common.load, .entry = FREE, .kind = GMT_FAILURE_NULL, .count = 1204};
    add_failure(fixture, call);
}

static struct gmt_pool_record *add_pool(struct fixture *fixture, enum gmt_pool_type type, uint64_t reserved)
{
    uint32_t index = fixture_add(fixture, GMT_SECTION_POOLS);
    struct gmt_pool_record *pool = fixture_record(fixture, GMT_SECTION_POOLS, index);
    *pool = (struct gmt_pool_record){.state = GMT_POOL_LIVE,
                                     .type = type,
                                     .handle = type == GMT_POOL_GRAPHS ? 0 : 0xb001,
                                     .threshold_stack = GMT_NONE,
                                     .trim_stack = GMT_NONE,
                                     .reserved_bytes = reserved,
                                     .used_bytes = MIB,
                                     .reserved_high_bytes = reserved + 32 * MIB,
                                     .used_high_bytes = 40 * MIB,
                                     .sample_ns = 1498 * MS};
    return pool;
}

static void add_limit(struct fixture *fixture, const struct common *common, uint32_t number, uint64_t value,
                      uint64_t time_ns)
{
    uint32_t index = fixture_add(fixture, GMT_SECTION_LIMITS);
    struct gmt_limit_record *limit = fixture_record(fixture, GMT_SECTION_LIMITS, index);
    *limit = (struct gmt_limit_record){.state = 1,
                                       .limit = number,
                                       .old_value = 1024,
                                       .new_value = value,
                                       .stack = common->train,
                                       .entry = LIMIT,
                                       .time_ns = time_ns,
                                       .count = 1};
}

/* A texture object that did not fit although most of the device was free; pools and limits at that moment, and a
 * context on a second device that nothing was taken on. */
void add_holders_sample(struct fixture *fixture)
{
    struct common common = add_common(fixture);
    fixture_device(fixture, 1, "Other Device");
    add_context(fixture, 0, GMT_CONTEXT_LIVE, common.load, GMT_NONE);
    add_context(fixture, 1, GMT_CONTEXT_LIVE, common.train, GMT_NONE);
    uint32_t device = fixture_site(fixture, MALLOC, common.load, GMT_KIND_DEVICE, 0);
    uint32_t textures = fixture_site(fixture, TEXTURE, common.train, GMT_KIND_TEXTURE, 0);
    fixture_block(fixture, device, 512 * MIB, GMT_BLOCK_UNUSED);
    struct gmt_pool_record *pool = add_pool(fixture, GMT_POOL_DEFAULT, 96 * MIB);
    pool->threshold_stack = common.load;
    pool->threshold_entry = POOL;
    pool->threshold_bytes = UINT64_MAX;
    pool->threshold_ns = 200 * MS;
    pool->trim_stack = common.clean;
    pool->trim_count = 2;
    pool->trim_ns = 900 * MS;
    add_pool(fixture, GMT_POOL_GRAPHS, 64 * MIB);
    add_limit(fixture, &common, 0, 8192, 300 * MS);
    add_limit(fixture, &common, 0, 65536, 400 * MS);
    add_limit(fixture, &common, 2, 16 * MIB, 3000 * MS); /* after the error */
    uint32_t index = fixture_add(fixture, GMT_SECTION_OOMS);
    struct gmt_oom_record *oom = fixture_record(fixture, GMT_SECTION_OOMS, index);
    *oom = (struct gmt_oom_record){.state = 1,
                                   .stack = common.train,
                                   .entry = TEXTURE,
                                   .code = 2,
                                   .time_ns = 1500 * MS,
                                   .free_bytes = 7 * 1024 * MIB,
                                   .total_bytes = 8 * 1024 * MIB,
                                   .top = {{.site = device, .live_bytes = 512 * MIB, .live_count = 1}},
                                   .top_count = 1,
                                   .objects = {textures, GMT_NONE, GMT_NONE, GMT_NONE},
                                   .object_counts = {1048576}};
    oom->totals[GMT_SPACE_DEVICE] = (struct gmt_totals){.live_bytes = 512 * MIB, .live_count = 1};
    oom->live_of_kind[GMT_KIND_DEVICE] = 1;
    oom->live_of_kind[GMT_KIND_TEXTURE] = 1048576;
    oom->live_of_kind[GMT_KIND_STREAM] = 2;
}

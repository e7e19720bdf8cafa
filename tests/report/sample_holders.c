/* Samples of what is left besides blocks of device memory, of who ended and who holds it, and of calls that went wrong.
 * Their figures stand in the golden files and in the tests as literals. */
#include "sample_holders.h"
#include "sample_parts.h"

static void add_strays(struct fixture *fixture, const struct sample_common *common, uint32_t device, uint32_t array)
{
    static const enum gmt_address_is are[] = {GMT_ADDRESS_INSIDE_BLOCK, GMT_ADDRESS_STACK, GMT_ADDRESS_HOST,
                                              GMT_ADDRESS_OTHER_FAMILY};
    for (unsigned i = 0; i < 4; i++)
        sample_failure(fixture, (struct gmt_failure_record){.stack = common->clean,
                                                            .entry = ENTRY_FREE,
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
    struct sample_common common = sample_common(fixture);
    uint32_t thread = sample_thread(fixture, 4713, "cleaner", GMT_THREAD_RUNNING);
    uint32_t device = fixture_site(fixture, ENTRY_MALLOC, common.load, GMT_KIND_DEVICE, 0);
    uint32_t array = fixture_site(fixture, ENTRY_CREATE, common.train, GMT_KIND_ARRAY, 0);
    uint32_t registered = fixture_site(fixture, ENTRY_REGISTER, common.train, GMT_KIND_REGISTERED, 0);
    uint32_t events = fixture_site(fixture, ENTRY_EVENT, common.load, GMT_KIND_EVENT, 0);
    struct gmt_block_record *range = sample_block(fixture, registered, MIB);
    range->flags = GMT_BLOCK_UNMAPPED;
    fixture_block(fixture, events, 0, GMT_BLOCK_LATE);
    add_strays(fixture, &common, device, array);
    struct gmt_failure_record free_of_block = {.stack = common.clean,
                                               .entry = ENTRY_FREE,
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
    sample_failure(fixture, call);
    call = free_of_block;
    call.kind = GMT_FAILURE_DOUBLE;
    call.code = 1;
    call.count = 2;
    call.near_stack = common.train;
    sample_failure(fixture, call);
    call.kind = GMT_FAILURE_EXPORTED;
    call.code = 0;
    sample_failure(fixture, call);
    call = (struct gmt_failure_record){
        .stack = common.load, .entry = ENTRY_REGISTER, .code = 712, .last_address = range->address};
    call.last_thread = GMT_NONE;
    call.near_site = registered;
    call.near_address = range->address;
    call.near_bytes = MIB;
    sample_failure(fixture, call);
    call = (struct gmt_failure_record){.stack = common.clean,
                                       .entry = ENTRY_EVENT,
                                       .kind = GMT_FAILURE_LATE,
                                       .code = 4,
                                       .count = 64,
                                       .near_site = events};
    sample_failure(fixture, call);
    call =
        (struct gmt_failure_record){.stack = common.load, .entry = ENTRY_FREE, .kind = GMT_FAILURE_NULL, .count = 1204};
    sample_failure(fixture, call);
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

static void add_limit(struct fixture *fixture, const struct sample_common *common, uint32_t number, uint64_t value,
                      uint64_t time_ns)
{
    uint32_t index = fixture_add(fixture, GMT_SECTION_LIMITS);
    struct gmt_limit_record *limit = fixture_record(fixture, GMT_SECTION_LIMITS, index);
    *limit = (struct gmt_limit_record){.state = 1,
                                       .limit = number,
                                       .old_value = 1024,
                                       .new_value = value,
                                       .stack = common->train,
                                       .entry = ENTRY_LIMIT,
                                       .time_ns = time_ns,
                                       .count = 1};
}

/* A texture object that did not fit although most of the device was free; pools and limits at that moment, and a
 * context on a second device that nothing was taken on. */
void add_holders_sample(struct fixture *fixture)
{
    struct sample_common common = sample_common(fixture);
    fixture_device(fixture, 1, "Other Device");
    sample_context(fixture, 0, GMT_CONTEXT_LIVE, common.load, GMT_NONE);
    sample_context(fixture, 1, GMT_CONTEXT_LIVE, common.train, GMT_NONE);
    uint32_t device = fixture_site(fixture, ENTRY_MALLOC, common.load, GMT_KIND_DEVICE, 0);
    uint32_t textures = fixture_site(fixture, ENTRY_TEXTURE, common.train, GMT_KIND_TEXTURE, 0);
    fixture_block(fixture, device, 512 * MIB, GMT_BLOCK_UNUSED);
    struct gmt_pool_record *pool = add_pool(fixture, GMT_POOL_DEFAULT, 96 * MIB);
    pool->threshold_stack = common.load;
    pool->threshold_entry = ENTRY_POOL;
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
                                   .entry = ENTRY_TEXTURE,
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

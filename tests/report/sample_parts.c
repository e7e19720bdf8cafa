#include "sample_parts.h"

struct sample_common sample_common(struct fixture *fixture)
{
    static const char *const names[ENTRY_COUNT] = {"cuMemAlloc_v2",
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
    struct sample_common common;
    fixture_device(fixture, 0, "Test Device");
    for (unsigned i = 0; i < ENTRY_COUNT; i++)
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

struct gmt_block_record *sample_last_block(struct fixture *fixture)
{
    uint32_t index = (uint32_t)fixture->header.sections[GMT_SECTION_BLOCKS].used - 1;
    return fixture_record(fixture, GMT_SECTION_BLOCKS, index);
}

struct gmt_block_record *sample_block(struct fixture *fixture, uint32_t site, uint64_t bytes)
{
    fixture_block(fixture, site, bytes, GMT_BLOCK_LIVE);
    return sample_last_block(fixture);
}

uint32_t sample_context(struct fixture *fixture, uint32_t device, enum gmt_context_state state, uint32_t created,
                        uint32_t ended)
{
    uint32_t index = fixture_add(fixture, GMT_SECTION_CONTEXTS);
    struct gmt_context_record *record = fixture_record(fixture, GMT_SECTION_CONTEXTS, index);
    *record = (struct gmt_context_record){.handle = 0xc0de + index,
                                          .state = state,
                                          .device = device,
                                          .primary = 1,
                                          .created_stack = created,
                                          .created_entry = ENTRY_MALLOC,
                                          .ended_stack = ended,
                                          .ended_entry = ENTRY_RESET,
                                          .created_ns = 10 * MS,
                                          .ended_ns = 2000 * MS};
    return index;
}

uint32_t sample_thread(struct fixture *fixture, uint32_t id, const char *name, enum gmt_thread_state state)
{
    uint32_t index = fixture_add(fixture, GMT_SECTION_THREADS);
    struct gmt_thread_record *record = fixture_record(fixture, GMT_SECTION_THREADS, index);
    *record = (struct gmt_thread_record){.state = state, .id = id, .name = fixture_string(fixture, name)};
    return index;
}

uint32_t sample_failure(struct fixture *fixture, struct gmt_failure_record failure)
{
    uint32_t index = fixture_add(fixture, GMT_SECTION_FAILURES);
    failure.state = 1;
    if (failure.count == 0)
        failure.count = 1;
    failure.first_ns = failure.last_ns = (500 + index) * MS;
    *(struct gmt_failure_record *)fixture_record(fixture, GMT_SECTION_FAILURES, index) = failure;
    return index;
}

/* Samples of what is left: objects, and leaks in every state. Their figures stand in the golden files and in the tests
 * as literals. */
#include "sample_holders.h"
#include "sample_parts.h"

static void add_ranges(struct fixture *fixture, const struct sample_common *common)
{
    uint32_t reservations = fixture_site(fixture, ENTRY_RESERVE, common->load, GMT_KIND_RESERVATION, GMT_NONE);
    uint32_t mappings = fixture_site(fixture, ENTRY_MAP, common->train, GMT_KIND_MAPPING, GMT_NONE);
    sample_block(fixture, reservations, 64 * MIB)->address = 0x100000000;
    sample_block(fixture, reservations, 64 * MIB)->address = 0x200000000; /* nothing mapped there */
    struct gmt_block_record *mapped = sample_block(fixture, mappings, 2 * MIB);
    mapped->address = 0x100000000 + 64 * MIB - 2 * MIB;
    mapped->flags = GMT_BLOCK_ACCESSIBLE;
    sample_block(fixture, mappings, 2 * MIB)->address = 0x200000000 + 64 * MIB; /* right behind the second */
}

static void add_modules(struct fixture *fixture, const struct sample_common *common)
{
    uint32_t modules = fixture_site(fixture, ENTRY_MODULE, common->load, GMT_KIND_MODULE, 0);
    uint32_t libraries = fixture_site(fixture, ENTRY_MODULE, common->runtime, GMT_KIND_LIBRARY, 0);
    uint32_t variables = fixture_site(fixture, ENTRY_MODULE, common->load, GMT_KIND_VARIABLE, 0);
    fixture_block(fixture, modules, 0, GMT_BLOCK_UNUSED); /* so that places in the file and in the reader differ */
    sample_block(fixture, modules, 0);
    uint32_t module = (uint32_t)fixture->header.sections[GMT_SECTION_BLOCKS].used - 1;
    sample_block(fixture, libraries, 0);
    sample_block(fixture, variables, 4096)->owner = module;
    sample_block(fixture, variables, 512)->owner = 4000000; /* of no module */
}

/* No leaks: 3 of 5 events, 2 streams that went with a reset and 1 that was destroyed too late, address ranges, a module
 * with variables and one that the runtime loaded. */
void add_objects_sample(struct fixture *fixture)
{
    struct sample_common common = sample_common(fixture);
    uint32_t context = sample_context(fixture, 0, GMT_CONTEXT_RESET, common.load, common.clean);
    uint32_t events = fixture_site(fixture, ENTRY_EVENT, common.load, GMT_KIND_EVENT, 0);
    uint32_t streams = fixture_site(fixture, ENTRY_STREAM, common.train, GMT_KIND_STREAM, 0);
    for (unsigned i = 0; i < 5; i++)
        fixture_block(fixture, events, 0, i < 3 ? GMT_BLOCK_LIVE : GMT_BLOCK_UNUSED);
    for (unsigned i = 0; i < 2; i++) {
        fixture_block(fixture, streams, 0, GMT_BLOCK_ENDED);
        sample_last_block(fixture)->context = context;
    }
    fixture_block(fixture, streams, 0, GMT_BLOCK_LATE);
    add_ranges(fixture, &common);
    add_modules(fixture, &common);
}

static void add_physical(struct fixture *fixture, const struct sample_common *common)
{
    uint32_t physical = fixture_site(fixture, ENTRY_CREATE, common->load, GMT_KIND_PHYSICAL, 0);
    for (unsigned i = 0; i < 4; i++) {
        struct gmt_block_record *block = sample_block(fixture, physical, 2 * MIB);
        block->references = i == 2 ? 0 : 1; /* two by the handle, one by mappings, one by both */
        block->mappings = i < 2 ? 0 : i;
    }
}

static void add_registrations(struct fixture *fixture, const struct sample_common *common)
{
    uint32_t registered = fixture_site(fixture, ENTRY_REGISTER, common->train, GMT_KIND_REGISTERED, 0);
    sample_block(fixture, registered, MIB)->flags = GMT_BLOCK_UNMAPPED;
    sample_block(fixture, registered, MIB);
}

/* Leaks in every state but the simplest: of physical memory and of registrations, ended by a reset, exported, forgotten
 * after an error, by a thread that has ended, by a library that was unloaded, of a site whose other blocks were freed.
 */
void add_states_sample(struct fixture *fixture)
{
    struct sample_common common = sample_common(fixture);
    uint32_t context = sample_context(fixture, 0, GMT_CONTEXT_RESET, common.load, common.clean);
    uint32_t ended = sample_thread(fixture, 4712, "worker", GMT_THREAD_ENDED);
    uint32_t running = sample_thread(fixture, 4711, "app", GMT_THREAD_RUNNING);
    add_physical(fixture, &common);
    add_registrations(fixture, &common);
    uint32_t site = fixture_site(fixture, ENTRY_MALLOC, common.load, GMT_KIND_DEVICE, 0);
    fixture_block(fixture, site, 3 * MIB, GMT_BLOCK_ENDED);
    sample_last_block(fixture)->context = context;
    struct gmt_block_record *block = sample_block(fixture, site, 5 * MIB);
    block->flags = GMT_BLOCK_EXPORTED;
    block->note_stack = common.train;
    block->thread = running;
    for (unsigned i = 0; i < 2; i++)
        sample_block(fixture, site, 5 * MIB)->thread = ended;
    fixture_block(fixture, site, 5 * MIB, GMT_BLOCK_UNUSED);
    struct gmt_site_record *record = fixture_record(fixture, GMT_SECTION_SITES, site);
    record->freed_stack = common.clean;
    record->freed_entry = ENTRY_FREE;
    uint32_t plugin = fixture_site(fixture, ENTRY_MALLOC, common.in_plugin, GMT_KIND_DEVICE, 0);
    ((struct gmt_module_record *)fixture_record(fixture, GMT_SECTION_MODULES, common.plugin))->unloaded = 1;
    sample_block(fixture, plugin, MIB)->failed_next =
        sample_failure(fixture, (struct gmt_failure_record){.stack = common.in_plugin,
                                                            .entry = ENTRY_STREAM,
                                                            .code = 1,
                                                            .last_thread = running,
                                                            .near_site = GMT_NONE,
                                                            .near_stack = GMT_NONE});
}

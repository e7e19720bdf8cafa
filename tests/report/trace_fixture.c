#include "trace_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_NS UINT64_C(1700000000000000000)

static const uint64_t record_bytes[GMT_SECTION_COUNT] = {
#define X(name, type) sizeof(type),
    GMT_TRACE_SECTIONS(X)
#undef X
};

void fixture_init(struct fixture *fixture)
{
    struct gmt_trace_header *header = &fixture->header;
    memset(fixture, 0, sizeof *fixture);
    memcpy(header->magic, GMT_TRACE_MAGIC, sizeof header->magic);
    header->version = GMT_TRACE_VERSION;
    header->byte_order = GMT_TRACE_BYTE_ORDER;
    header->header_bytes = sizeof *header;
    header->flags = GMT_TRACE_READY;
    header->file_bytes = FIXTURE_BYTES;
    for (unsigned i = 0; i < GMT_SECTION_COUNT; i++)
        header->sections[i] = (struct gmt_trace_section){.offset = 4096 + i * FIXTURE_SECTION_BYTES,
                                                         .record_bytes = record_bytes[i],
                                                         .capacity = FIXTURE_SECTION_BYTES / record_bytes[i],
                                                         .backed = FIXTURE_SECTION_BYTES};
    header->sections[GMT_SECTION_STRINGS].used = 1; /* the empty string */
    header->pid = 4711;
    header->parent_pid = 4700;
    header->rank = -1;
    header->end = GMT_END_EXIT;
    header->exit_status = 0;
    header->driver_version = 13000;
    header->start_unix_ns = START_NS;
    header->end_ns = UINT64_C(5000000000);
    header->first_init_stack = GMT_NONE;
    header->host = fixture_string(fixture, "testhost");
    header->executable = fixture_string(fixture, "/home/user/app");
    header->arguments = fixture_string(fixture, "./app --size 12");
    header->working_directory = fixture_string(fixture, "/home/user");
    header->tool_version = fixture_string(fixture, "0.1.0");
}

uint32_t fixture_add(struct fixture *fixture, enum gmt_section_id section)
{
    struct gmt_trace_section *at = &fixture->header.sections[section];
    if (at->used >= at->capacity)
        abort();
    return (uint32_t)at->used++;
}

void *fixture_record(struct fixture *fixture, enum gmt_section_id section, uint32_t index)
{
    const struct gmt_trace_section *at = &fixture->header.sections[section];
    return fixture->bytes + at->offset + index * at->record_bytes;
}

gmt_string_id fixture_string(struct fixture *fixture, const char *string)
{
    struct gmt_trace_section *strings = &fixture->header.sections[GMT_SECTION_STRINGS];
    size_t bytes = strlen(string) + 1;
    if (strings->capacity - strings->used < bytes)
        abort();
    gmt_string_id id = (gmt_string_id)strings->used;
    memcpy(fixture->bytes + strings->offset + id, string, bytes);
    strings->used += bytes;
    return id;
}

uint32_t fixture_entry(struct fixture *fixture, const char *name, uint64_t calls, uint64_t failures)
{
    uint32_t index = fixture_add(fixture, GMT_SECTION_ENTRIES);
    struct gmt_entry_record *record = fixture_record(fixture, GMT_SECTION_ENTRIES, index);
    *record = (struct gmt_entry_record){.name = fixture_string(fixture, name), .calls = calls, .failures = failures};
    return index;
}

uint32_t fixture_module(struct fixture *fixture, const char *path, const char *build_id_hex)
{
    uint32_t index = fixture_add(fixture, GMT_SECTION_MODULES);
    struct gmt_module_record *record = fixture_record(fixture, GMT_SECTION_MODULES, index);
    record->path = fixture_string(fixture, path);
    for (const char *at = build_id_hex; at && at[0] != '\0' && at[1] != '\0'; at += 2) {
        unsigned byte;
        if (record->build_id_bytes == sizeof record->build_id || sscanf(at, "%2x", &byte) != 1)
            abort();
        record->build_id[record->build_id_bytes++] = (uint8_t)byte;
    }
    return index;
}

uint32_t fixture_stack(struct fixture *fixture, const uint64_t *pairs, uint32_t depth)
{
    uint32_t index = fixture_add(fixture, GMT_SECTION_STACKS);
    struct gmt_stack_record *record = fixture_record(fixture, GMT_SECTION_STACKS, index);
    record->depth = depth;
    for (uint32_t i = 0; i < depth; i++) {
        uint32_t frame = fixture_add(fixture, GMT_SECTION_FRAMES);
        struct gmt_frame_record *frame_record = fixture_record(fixture, GMT_SECTION_FRAMES, frame);
        if (i == 0)
            record->first_frame = frame;
        frame_record->module = (uint32_t)pairs[2 * i];
        frame_record->offset = pairs[2 * i + 1];
    }
    return index;
}

struct gmt_device_record *fixture_device(struct fixture *fixture, uint32_t ordinal, const char *name)
{
    struct gmt_trace_section *devices = &fixture->header.sections[GMT_SECTION_DEVICES];
    while (devices->used <= ordinal)
        fixture_add(fixture, GMT_SECTION_DEVICES);
    struct gmt_device_record *record = fixture_record(fixture, GMT_SECTION_DEVICES, ordinal);
    record->state = 1;
    record->name = fixture_string(fixture, name);
    record->total_bytes = UINT64_C(8) << 30;
    for (unsigned i = 0; i < sizeof record->uuid; i++)
        record->uuid[i] = (uint8_t)(i + 16 * ordinal + 1);
    return record;
}

uint32_t fixture_site(struct fixture *fixture, uint32_t entry, uint32_t stack, enum gmt_kind kind, uint32_t device)
{
    uint32_t index = fixture_add(fixture, GMT_SECTION_SITES);
    struct gmt_site_record *record = fixture_record(fixture, GMT_SECTION_SITES, index);
    *record = (struct gmt_site_record){.state = 1,
                                       .stack = stack,
                                       .entry = (uint16_t)entry,
                                       .kind = (uint8_t)kind,
                                       .device = device,
                                       .freed_stack = GMT_NONE};
    return index;
}

void fixture_block(struct fixture *fixture, uint32_t site, uint64_t bytes, enum gmt_block_state state)
{
    struct gmt_site_record *site_record = fixture_record(fixture, GMT_SECTION_SITES, site);
    uint32_t index = fixture_add(fixture, GMT_SECTION_BLOCKS);
    struct gmt_block_record *block = fixture_record(fixture, GMT_SECTION_BLOCKS, index);
    uint64_t time_ns = (index + 1) * UINT64_C(100000000);
    *block = (struct gmt_block_record){.address = UINT64_C(0x7f0000000000) + index * UINT64_C(0x1000000),
                                       .bytes = bytes,
                                       .time_ns = time_ns,
                                       .sequence = index + 1,
                                       .site = site,
                                       .context = GMT_NONE,
                                       .thread = GMT_NONE,
                                       .state = state,
                                       .owner = GMT_NONE,
                                       .references = 1,
                                       .note_stack = GMT_NONE,
                                       .failed_next = GMT_NONE};
    fixture->header.next_sequence = index + 1;
    site_record->total_bytes += bytes;
    site_record->total_count++;
    site_record->live_bytes += bytes;
    site_record->live_count++;
    site_record->peak_bytes += bytes;
    site_record->last_ns = time_ns;
    if (site_record->total_count == 1)
        site_record->first_ns = time_ns;
    if (site_record->device == GMT_NONE)
        return;
    struct gmt_device_record *device = fixture_record(fixture, GMT_SECTION_DEVICES, site_record->device);
    struct gmt_totals *totals = &device->totals[gmt_kind_facts(site_record->kind)->space];
    totals->total_bytes += bytes;
    totals->total_count++;
    totals->peak_bytes += bytes;
    totals->peak_count++;
    totals->peak_ns = time_ns;
    totals->peak_generation++;
}

size_t fixture_size(const struct fixture *fixture)
{
    const struct gmt_trace_section *last = &fixture->header.sections[GMT_SECTION_COUNT - 1];
    return last->offset + last->used * last->record_bytes;
}

void fixture_write(const struct fixture *fixture, const char *path, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(fixture->bytes, 1, bytes, file) != bytes || fclose(file) != 0) {
        perror(path);
        exit(99);
    }
}

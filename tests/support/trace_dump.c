/* Prints a trace file as JSON for the test scripts: plain records, sums recomputed from the blocks, no judgement. */
#include <inttypes.h>
#include <stdio.h>

#include "trace_reader.h"

#define BLOCKS_SHOWN 2000

static const char *const kinds[] = {
#define GMT_KIND(name, json, words, space, family, life, rest) json,
#include "track/trace_kinds.def"
#undef GMT_KIND
};

static const char *const troubles[] = {
#define X(name, sentence) #name,
    GMT_TRACE_TROUBLES(X)
#undef X
};

static void print_text(const char *text)
{
    putchar('"');
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\' || (unsigned char)*c < 32)
            printf("\\u%04x", (unsigned char)*c);
        else
            putchar(*c);
    }
    putchar('"');
}

static void print_number(const char *name, uint64_t number)
{
    printf("\"%s\":%" PRIu64 ",", name, number);
}

static void print_string(const char *name, const struct gmt_trace_header *trace, gmt_string_id id)
{
    printf("\"%s\":", name);
    print_text(trace_reader_string(trace, id));
    putchar(',');
}

static const char *entry_name(const struct gmt_trace_header *trace, uint16_t entry)
{
    return trace_reader_string(trace, trace_reader_ENTRIES(trace)[entry].name);
}

static void print_stack(const struct gmt_trace_header *trace, uint32_t index)
{
    printf("\"stack\":[");
    if (index < trace_reader_used(trace, GMT_SECTION_STACKS)) {
        const struct gmt_stack_record *stack = &trace_reader_STACKS(trace)[index];
        for (uint32_t i = 0; i < stack->depth; i++) {
            const struct gmt_frame_record *frame = &trace_reader_FRAMES(trace)[stack->first_frame + i];
            printf(i ? ",[" : "[");
            if (frame->module == GMT_NONE)
                print_text("");
            else
                print_text(trace_reader_string(trace, trace_reader_MODULES(trace)[frame->module].path));
            printf(",%" PRIu64 "]", frame->offset);
        }
    }
    printf("]");
}

static void print_sites(const struct gmt_trace_header *trace)
{
    printf("\"sites\":[");
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_SITES); i++) {
        const struct gmt_site_record *site = &trace_reader_SITES(trace)[i];
        printf(i ? ",{" : "{");
        printf("\"api\":\"%s\",\"kind\":\"%s\",", entry_name(trace, site->entry), kinds[site->kind]);
        print_number("live_bytes", site->live_bytes);
        print_number("live_count", site->live_count);
        print_number("peak_bytes", site->peak_bytes);
        print_number("total_bytes", site->total_bytes);
        print_number("total_count", site->total_count);
        printf("\"device\":%d,", (int)site->device);
        print_stack(trace, site->stack);
        printf("}");
    }
    printf("],");
}

static void print_failures(const struct gmt_trace_header *trace)
{
    static const char *const names[] = {
#define X(name, json) json,
        GMT_FAILURE_KINDS(X)
#undef X
    };
    printf("\"failures\":[");
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_FAILURES); i++) {
        const struct gmt_failure_record *failure = &trace_reader_FAILURES(trace)[i];
        printf(i ? ",{" : "{");
        printf("\"api\":\"%s\",\"kind\":\"%s\",\"code\":%d,", entry_name(trace, failure->entry), names[failure->kind],
               failure->code);
        print_number("count", failure->count);
        print_stack(trace, failure->stack);
        printf("}");
    }
    printf("],");
}

static void print_entries(const struct gmt_trace_header *trace)
{
    const char *comma = "";
    printf("\"calls\":{");
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_ENTRIES); i++) {
        const struct gmt_entry_record *entry = &trace_reader_ENTRIES(trace)[i];
        if (entry->calls == 0)
            continue;
        printf("%s\"%s\":%" PRIu64, comma, trace_reader_string(trace, entry->name), entry->calls);
        comma = ",";
    }
    printf("},");
}

static void print_clients(const struct gmt_trace_header *trace)
{
    printf("\"clients\":[");
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_CLIENTS); i++) {
        const struct gmt_client_record *client = &trace_reader_CLIENTS(trace)[i];
        printf(i ? ",{" : "{");
        print_string("module", trace,
                     client->module == GMT_NONE ? 0 : trace_reader_MODULES(trace)[client->module].path);
        print_number("symbol", client->uses[GMT_DOOR_SYMBOL]);
        print_number("dlsym", client->uses[GMT_DOOR_DLSYM]);
        printf("\"get_proc_address\":%" PRIu64 "}", client->uses[GMT_DOOR_GET_PROC_ADDRESS]);
    }
    printf("],");
}

static void print_blocks(const struct gmt_trace_header *trace)
{
    static const char *const states[] = {"unused", "live", "freeing", "ended", "late"};
    enum { STATES = sizeof states / sizeof states[0] };
    uint64_t bytes[STATES] = {0};
    uint64_t count[STATES] = {0};
    unsigned shown = 0;
    printf("\"blocks\":[");
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_BLOCKS); i++) {
        const struct gmt_block_record *block = &trace_reader_BLOCKS(trace)[i];
        unsigned state = block->state < STATES ? block->state : GMT_BLOCK_UNUSED;
        bytes[state] += block->bytes;
        count[state]++;
        if (state == GMT_BLOCK_UNUSED || shown == BLOCKS_SHOWN)
            continue;
        printf("%s{\"state\":\"%s\",\"bytes\":%" PRIu64 ",\"address\":%" PRIu64 ",\"site\":%u,\"thread\":%u}",
               shown++ ? "," : "", states[state], block->bytes, block->address, block->site, block->thread);
    }
    printf("],");
    for (unsigned state = GMT_BLOCK_LIVE; state < STATES; state++)
        printf("\"%s_bytes\":%" PRIu64 ",\"%s_count\":%" PRIu64 ",", states[state], bytes[state], states[state],
               count[state]);
}

static void print_device(const struct gmt_trace_header *trace, uint32_t device)
{
    static const char *const spaces[] = {
#define X(name, json, words) json,
        GMT_SPACES(X)
#undef X
    };
    const struct gmt_device_record *record = &trace_reader_DEVICES(trace)[device];
    printf("{\"ordinal\":%u,", device);
    print_string("name", trace, record->name);
    for (unsigned space = 0; space < GMT_SPACE_COUNT; space++) {
        printf("\"%s\":{\"live_bytes\":%" PRIu64 ",\"live_count\":%" PRIu64 ",\"peak_bytes\":%" PRIu64 "},",
               spaces[space], record->totals[space].live_bytes, record->totals[space].live_count,
               record->totals[space].peak_bytes);
    }
    printf("\"total_bytes\":%" PRIu64 "}", record->total_bytes);
}

static void print_devices(const struct gmt_trace_header *trace)
{
    const char *comma = "";
    printf("\"devices\":[");
    for (uint32_t i = 0; i < trace_reader_used(trace, GMT_SECTION_DEVICES); i++) {
        if (trace_reader_DEVICES(trace)[i].state == 0)
            continue;
        printf("%s", comma);
        print_device(trace, i);
        comma = ",";
    }
    printf("],");
}

static void print_troubles(const struct gmt_trace_header *trace)
{
    printf("\"troubles\":{");
    const char *comma = "";
    for (unsigned i = 0; i < GMT_TROUBLE_COUNT; i++) {
        if (trace->troubles[i] == 0)
            continue;
        printf("%s\"%s\":%" PRIu64, comma, troubles[i], trace->troubles[i]);
        comma = ",";
    }
    printf("},");
}

int main(int argc, char **argv)
{
    const struct gmt_trace_header *trace = argc == 2 ? trace_reader_open(argv[1]) : NULL;
    if (!trace)
        return 1;
    printf("{");
    print_number("pid", trace->pid);
    print_number("parent_pid", trace->parent_pid);
    print_number("flags", trace->flags);
    print_number("end", trace->end);
    printf("\"exit_status\":%d,\"rank\":%d,", trace->exit_status, trace->rank);
    print_number("taken", trace->next_sequence);
    print_number("bypassed", trace->bypassed);
    print_number("own_bytes", trace->own_bytes);
    print_number("ooms", trace_reader_used(trace, GMT_SECTION_OOMS));
    print_string("bypassed_name", trace, trace->bypassed_name);
    print_string("executable", trace, trace->executable);
    print_string("arguments", trace, trace->arguments);
    print_troubles(trace);
    print_entries(trace);
    print_clients(trace);
    print_devices(trace);
    print_failures(trace);
    print_sites(trace);
    print_blocks(trace);
    printf("\"version\":%u}\n", trace->version);
    return 0;
}

/* The fallback report. Works on the mapped records alone. */
#include "hook/summary.h"

#include <string.h>

#include "base/syscall.h"
#include "base/text.h"
#include "hook/notice.h"
#include "track/trace_file.h"

#define TOP_SITES 5
#define FRAMES_SHOWN 2

#define RECORDS(header, type, name)                                                                                    \
    ((const type *)((const char *)(header) + (header)->sections[GMT_SECTION_##name].offset))

/* What a site still holds, and what of it its context took away. */
struct held {
    uint32_t site;
    uint64_t bytes;
    uint64_t count;
};

static bool is_leak(const struct gmt_trace_header *header, const struct gmt_block_record *block)
{
    if ((block->state != GMT_BLOCK_LIVE && block->state != GMT_BLOCK_ENDED) ||
        block->site >= header->sections[GMT_SECTION_SITES].used)
        return false;
    return gmt_kind_facts(RECORDS(header, struct gmt_site_record, SITES)[block->site].kind)->rest == GMT_REST_LEAK;
}

/* What each of the first `sites` sites holds, from the blocks. */
static void add_held(const struct gmt_trace_header *header, struct held *held, uint64_t sites)
{
    const struct gmt_block_record *blocks = RECORDS(header, struct gmt_block_record, BLOCKS);
    for (uint64_t i = 0; i < header->sections[GMT_SECTION_BLOCKS].used; i++) {
        uint32_t site = blocks[i].site;
        if (site >= sites || !is_leak(header, &blocks[i]))
            continue;
        held[site].site = site;
        held[site].bytes += blocks[i].bytes;
        held[site].count++;
    }
}

/* The sites that hold the most, largest first; how many. None where memory is short. */
static unsigned pick_top(const struct gmt_trace_header *header, struct held *top)
{
    uint64_t sites = header->sections[GMT_SECTION_SITES].used;
    struct held *held = gmt_sys_map(sites * sizeof *held);
    if (!held)
        return 0;
    add_held(header, held, sites);
    unsigned count = 0;
    for (uint64_t i = 0; i < sites; i++) {
        unsigned place = count;
        while (place > 0 && top[place - 1].bytes < held[i].bytes)
            place--;
        if (place == TOP_SITES || held[i].count == 0)
            continue;
        count += count < TOP_SITES;
        memmove(&top[place + 1], &top[place], (count - place - 1) * sizeof *top);
        top[place] = held[i];
    }
    gmt_sys_unmap(held, sites * sizeof *held);
    return count;
}

static void add_frame(struct gmt_text *text, const struct gmt_trace_header *header,
                      const struct gmt_frame_record *frame)
{
    if (frame->module != GMT_NONE) {
        const char *strings = RECORDS(header, char, STRINGS);
        const char *path = strings + RECORDS(header, struct gmt_module_record, MODULES)[frame->module].path;
        const char *slash = strrchr(path, '/');
        gmt_text_add(text, slash ? slash + 1 : path);
        gmt_text_add(text, "+");
    }
    gmt_text_add_hex(text, frame->offset);
}

static void write_site(const struct gmt_trace_header *header, const struct held *held)
{
    char buffer[1024];
    struct gmt_text line = gmt_text_over(buffer, sizeof buffer);
    const struct gmt_site_record *site = &RECORDS(header, struct gmt_site_record, SITES)[held->site];
    const char *strings = RECORDS(header, char, STRINGS);
    gmt_text_add(&line, "  ");
    gmt_text_add_size(&line, held->bytes);
    gmt_text_add(&line, " in ");
    gmt_text_add_decimal(&line, held->count);
    gmt_text_add(&line, held->count == 1 ? " block by " : " blocks by ");
    gmt_text_add(&line, strings + RECORDS(header, struct gmt_entry_record, ENTRIES)[site->entry].name);
    if (site->stack != GMT_NONE) {
        const struct gmt_stack_record *stack = &RECORDS(header, struct gmt_stack_record, STACKS)[site->stack];
        for (uint32_t i = 0; i < stack->depth && i < FRAMES_SHOWN; i++) {
            gmt_text_add(&line, i == 0 ? " at " : " < ");
            add_frame(&line, header, &RECORDS(header, struct gmt_frame_record, FRAMES)[stack->first_frame + i]);
        }
    }
    gmt_text_add(&line, "\n");
    gmt_notice_write(buffer);
}

bool gmt_summary_write(struct gmt_tracker *tracker)
{
    const struct gmt_trace_header *header = gmt_tracker_header(tracker);
    const struct gmt_block_record *blocks = RECORDS(header, struct gmt_block_record, BLOCKS);
    struct held all = {.site = GMT_NONE};
    for (uint64_t i = 0; i < header->sections[GMT_SECTION_BLOCKS].used; i++) {
        if (!is_leak(header, &blocks[i]))
            continue;
        all.bytes += blocks[i].bytes;
        all.count++;
    }
    char buffer[256];
    struct gmt_text line = gmt_text_over(buffer, sizeof buffer);
    if (all.count == 0) {
        gmt_text_add(&line, "no leaks: ");
        gmt_text_add_decimal(&line, header->next_sequence);
        gmt_text_add(&line, " blocks were taken and all were freed");
    } else {
        gmt_text_add(&line, "LEAK: ");
        gmt_text_add_size(&line, all.bytes);
        gmt_text_add(&line, " in ");
        gmt_text_add_decimal(&line, all.count);
        gmt_text_add(&line, all.count == 1 ? " block was never freed" : " blocks were never freed");
    }
    gmt_notice_line(buffer);
    struct held top[TOP_SITES + 1];
    unsigned count = all.count > 0 ? pick_top(header, top) : 0;
    for (unsigned i = 0; i < count; i++)
        write_site(header, &top[i]);
    return all.count > 0;
}

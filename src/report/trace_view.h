/* One moment of a trace file, copied: the file may be cut, damaged, hostile, or still be written to. Everything read
 * through the functions below is in bounds; what a record means is the model's business. */
#ifndef GMT_REPORT_TRACE_VIEW_H
#define GMT_REPORT_TRACE_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "report/heap.h"
#include "report/sentence.h"
#include "track/trace_file.h"

/* Records are copies. BLOCKS holds only those that are not unused, in file order; every other section is complete. */
struct gmt_trace_view {
    const char *path;
    struct gmt_trace_header header;
    const void *records[GMT_SECTION_COUNT];
    uint64_t counts[GMT_SECTION_COUNT];
    const uint32_t *block_numbers;            /* index in the file of each block that was kept, ascending */
    const char *notes[GMT_SECTION_COUNT + 2]; /* sentences about what the file lacks */
    unsigned note_count;
    struct gmt_heap heap;
};

/* Reads the file at `path`. On failure `why_out` says what is wrong and what to do, and there is nothing to close.
 * A file that is cut short is read as far as it goes, with notes. Never waits, for any kind of file. */
int gmt_trace_view_open(const char *path, struct gmt_trace_view *view_out, struct gmt_sentence *why_out);

void gmt_trace_view_close(struct gmt_trace_view *view);

/* The string, NUL-terminated within the file's section; NULL when it is not known or not valid. */
const char *gmt_trace_view_string(const struct gmt_trace_view *view, gmt_string_id id);

/* The record at `index`, or NULL when there is none. */
const struct gmt_entry_record *gmt_trace_view_entry(const struct gmt_trace_view *view, uint64_t index);
const struct gmt_device_record *gmt_trace_view_device(const struct gmt_trace_view *view, uint64_t index);
const struct gmt_context_record *gmt_trace_view_context(const struct gmt_trace_view *view, uint64_t index);
const struct gmt_module_record *gmt_trace_view_module(const struct gmt_trace_view *view, uint64_t index);
const struct gmt_client_record *gmt_trace_view_client(const struct gmt_trace_view *view, uint64_t index);
const struct gmt_frame_record *gmt_trace_view_frame(const struct gmt_trace_view *view, uint64_t index);
const struct gmt_stack_record *gmt_trace_view_stack(const struct gmt_trace_view *view, uint64_t index);
const struct gmt_site_record *gmt_trace_view_site(const struct gmt_trace_view *view, uint64_t index);
const struct gmt_failure_record *gmt_trace_view_failure(const struct gmt_trace_view *view, uint64_t index);
const struct gmt_oom_record *gmt_trace_view_oom(const struct gmt_trace_view *view, uint64_t index);
const struct gmt_thread_record *gmt_trace_view_thread(const struct gmt_trace_view *view, uint64_t index);
const struct gmt_pool_record *gmt_trace_view_pool(const struct gmt_trace_view *view, uint64_t index);
const struct gmt_limit_record *gmt_trace_view_limit(const struct gmt_trace_view *view, uint64_t index);
const struct gmt_block_record *gmt_trace_view_block(const struct gmt_trace_view *view, uint64_t index);

/* The block that other records know by `number`, its index in the file; NULL when it is unused by now. */
const struct gmt_block_record *gmt_trace_view_block_numbered(const struct gmt_trace_view *view, uint32_t number);

#endif

/* The parts of the text format, for write_text.c and its neighbours text_*.c. Each writes its heading, or nothing when
 * it has nothing to say. */
#ifndef GMT_REPORT_TEXT_SECTIONS_H
#define GMT_REPORT_TEXT_SECTIONS_H

#include "report/lines.h"
#include "report/writers.h"

struct gmt_text_writer {
    struct gmt_report *report;
    struct gmt_heap *heap;
    const struct gmt_write_options *options;
    struct gmt_lines lines;
};

void gmt_text_leaks(struct gmt_text_writer *writer, const struct gmt_process *process);
void gmt_text_libraries(struct gmt_text_writer *writer, const struct gmt_process *process);
void gmt_text_objects(struct gmt_text_writer *writer, const struct gmt_process *process);
void gmt_text_peaks(struct gmt_text_writer *writer, const struct gmt_process *process);
void gmt_text_totals(struct gmt_text_writer *writer, const struct gmt_process *process);
void gmt_text_contexts(struct gmt_text_writer *writer, const struct gmt_process *process);
void gmt_text_pools(struct gmt_text_writer *writer, const struct gmt_process *process);
void gmt_text_limits(struct gmt_text_writer *writer, const struct gmt_process *process);
void gmt_text_ooms(struct gmt_text_writer *writer, const struct gmt_process *process);
void gmt_text_failures(struct gmt_text_writer *writer, const struct gmt_process *process);
void gmt_text_notes(struct gmt_text_writer *writer, const struct gmt_process *process);
void gmt_text_coverage(struct gmt_text_writer *writer, const struct gmt_process *process);

/* The whole text about one out-of-memory error but for its first line. */
void gmt_text_oom_details(struct gmt_text_writer *writer, const struct gmt_process *process, const struct gmt_oom *oom);

/* True when somebody set the pool's threshold, trimmed it, or found it to hold anything. */
bool gmt_text_pool_matters(const struct gmt_pool *pool);

/* Lines about one pool. */
void gmt_text_pool(struct gmt_text_writer *writer, const struct gmt_process *process, const struct gmt_pool *pool);

/* One line about a limit that was changed, behind `margin`. */
void gmt_text_limit(struct gmt_text_writer *writer, const struct gmt_process *process, const struct gmt_limit *limit,
                    const char *margin);

/* True when the error at that place of `ooms` is told with its details. */
bool gmt_text_oom_is_detailed(const struct gmt_text_writer *writer, unsigned index);

/* The stack, one frame a line, its first frame of user code marked; nothing for NULL. */
void gmt_text_stack(struct gmt_text_writer *writer, const struct gmt_process *process, const struct gmt_stack *stack);

#endif

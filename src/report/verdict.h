/* What is said first: one sentence per process and one for the whole report, and the result of the leak gate. */
#ifndef GMT_REPORT_VERDICT_H
#define GMT_REPORT_VERDICT_H

#include "report/model.h"

/* Fills the verdicts of the report and of its processes. After naming, and after the ends of the processes are known.
 */
void gmt_report_judge(struct gmt_report *report);

/* The same of one process alone. */
void gmt_verdict_judge(struct gmt_process *process, struct gmt_heap *heap);

/* What the leak gate says of a judged report. */
enum gmt_gate gmt_report_gate(const struct gmt_report *report);

/* "clean", "live", "leaks", "out_of_memory", "not_traced". */
const char *gmt_result_json(enum gmt_result result);

/* "3 blocks, 12.00 MiB,": what the process's leaks come to. */
const char *gmt_verdict_amount(struct gmt_heap *heap, uint64_t blocks, uint64_t bytes);

/* "cudaMalloc asked for 2.00 GiB on device 0 (NVIDIA H200), 1.13 GiB of 139.8 GiB free". */
const char *gmt_verdict_request(struct gmt_heap *heap, const struct gmt_oom *oom);

/* "./train (pid 4711)", with "on the simulated device" when it ran there. */
const char *gmt_verdict_place(struct gmt_heap *heap, const struct gmt_process *process);

#endif

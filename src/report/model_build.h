/* The steps of gmt_report_add and gmt_report_name, for the files that make up the model and nobody else. */
#ifndef GMT_REPORT_MODEL_BUILD_H
#define GMT_REPORT_MODEL_BUILD_H

#include "report/model.h"

/* In this order: each uses what the ones before it have filled. */
void gmt_model_sites(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_leaks(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_peaks(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_calls(struct gmt_process *process, struct gmt_heap *heap);

/* Fills `libraries`, and `library` of every site. After the stacks are named. */
void gmt_model_libraries(struct gmt_process *process, struct gmt_heap *heap);

/* The stack, marked as wanted; the device with that ordinal; the site with that index; the entry's exported name. Each
 * NULL when there is none. */
const struct gmt_stack *gmt_model_stack(struct gmt_process *process, uint32_t index);
const struct gmt_device *gmt_model_device(const struct gmt_process *process, uint32_t ordinal);
const struct gmt_site *gmt_model_site(const struct gmt_process *process, uint32_t id);
const char *gmt_model_entry(const struct gmt_process *process, uint32_t index);

#endif

/* The steps of gmt_report_add and gmt_report_name, for the files that make up the model and nobody else. */
#ifndef GMT_REPORT_MODEL_BUILD_H
#define GMT_REPORT_MODEL_BUILD_H

#include "report/model.h"

/* In this order: each uses what the ones before it have filled. */
void gmt_model_modules(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_stacks(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_devices(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_takers(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_sites(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_contexts(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_remains(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_objects(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_peaks(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_calls(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_failures(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_pools(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_ooms(struct gmt_process *process, struct gmt_heap *heap);
void gmt_model_notes(struct gmt_process *process, struct gmt_heap *heap);

/* Counts what was not given back by what became of the threads that took it. When that is known, once. */
void gmt_model_count_takers(struct gmt_process *process);

/* Fills `libraries`, and `library` of every site. After the stacks are named. */
void gmt_model_libraries(struct gmt_process *process, struct gmt_heap *heap);

/* Fills `kind_left`. After the functions are named. */
void gmt_model_count_objects(struct gmt_process *process);

/* The stack, marked as wanted; the device with that ordinal; the site with that index; the thread; the entry's exported
 * name. Each NULL when there is none. */
const struct gmt_stack *gmt_model_stack(struct gmt_process *process, uint32_t index);
const struct gmt_device *gmt_model_device(const struct gmt_process *process, uint32_t ordinal);
const struct gmt_site *gmt_model_site(const struct gmt_process *process, uint32_t id);
const struct gmt_taker *gmt_model_taker(const struct gmt_process *process, uint32_t index);
const char *gmt_model_entry(const struct gmt_process *process, uint32_t index);

/* Both of a call; empty when its stack says that nobody was seen. */
struct gmt_caller gmt_model_caller(struct gmt_process *process, uint32_t entry, uint32_t stack);

/* The record of contexts at `index`, as part of the model; NULL when there is none. */
const struct gmt_context *gmt_model_context(const struct gmt_process *process, uint32_t index);

#endif

/* The parts of the JSON format, for write_json.c and its neighbours json_*.c. report.schema.json describes every field:
 * a field added here is added there. */
#ifndef GMT_REPORT_JSON_SECTIONS_H
#define GMT_REPORT_JSON_SECTIONS_H

#include "report/json_out.h"
#include "report/model.h"

/* Values that many sections have. null stands for NULL, and for what is not `known`. */
void gmt_json_stack(struct gmt_json *json, const char *key, const struct gmt_stack *stack);
void gmt_json_caller(struct gmt_json *json, const char *key, const struct gmt_caller *caller);
void gmt_json_device(struct gmt_json *json, const char *key, const struct gmt_device *device);
void gmt_json_known(struct gmt_json *json, const char *key, uint64_t value, bool known);
void gmt_json_seconds_known(struct gmt_json *json, const char *key, uint64_t nanoseconds, bool known);
void gmt_json_takers(struct gmt_json *json, const char *key, const uint64_t takers[GMT_TAKER_STATE_COUNT]);
void gmt_json_spaces(struct gmt_json *json, const struct gmt_totals totals[GMT_SPACE_COUNT]);

/* Members of a process. */
void gmt_json_devices(struct gmt_json *json, const struct gmt_process *process);
void gmt_json_contexts(struct gmt_json *json, const struct gmt_process *process);
void gmt_json_pools(struct gmt_json *json, const struct gmt_process *process);
void gmt_json_limits(struct gmt_json *json, const struct gmt_process *process);
void gmt_json_sites(struct gmt_json *json, const struct gmt_process *process);
void gmt_json_leaks(struct gmt_json *json, const struct gmt_process *process);
void gmt_json_late(struct gmt_json *json, const struct gmt_process *process);
void gmt_json_objects(struct gmt_json *json, const struct gmt_process *process);
void gmt_json_imports(struct gmt_json *json, const struct gmt_process *process);
void gmt_json_libraries(struct gmt_json *json, const struct gmt_process *process);
void gmt_json_failed_calls(struct gmt_json *json, const struct gmt_process *process);
void gmt_json_ooms(struct gmt_json *json, const struct gmt_process *process);

#endif

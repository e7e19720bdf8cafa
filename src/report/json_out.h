/* JSON text, written as it is told: strict UTF-8, two spaces of indentation. No checks of nesting beyond assertions. */
#ifndef GMT_REPORT_JSON_OUT_H
#define GMT_REPORT_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define GMT_JSON_DEPTH_MAX 16

struct gmt_json {
    FILE *file;
    unsigned depth;
    bool filled[GMT_JSON_DEPTH_MAX]; /* the object or array at this depth has a member */
    char closer[GMT_JSON_DEPTH_MAX];
};

/* In every function `key` is the member's name, or NULL inside an array. */
void gmt_json_object(struct gmt_json *json, const char *key);
void gmt_json_array(struct gmt_json *json, const char *key);

/* Ends the innermost object or array; after the outermost also the line. */
void gmt_json_close(struct gmt_json *json);

/* A string, or null for NULL. A byte that is not part of valid UTF-8 is written as the character U+00NN of its value.
 */
void gmt_json_string(struct gmt_json *json, const char *key, const char *value);
void gmt_json_number(struct gmt_json *json, const char *key, uint64_t value);
void gmt_json_signed(struct gmt_json *json, const char *key, int64_t value);
void gmt_json_bool(struct gmt_json *json, const char *key, bool value);
void gmt_json_null(struct gmt_json *json, const char *key);

/* Nanoseconds as seconds with nine decimals. */
void gmt_json_seconds(struct gmt_json *json, const char *key, uint64_t nanoseconds);

/* "0x1f400000" */
void gmt_json_address(struct gmt_json *json, const char *key, uint64_t address);

#endif

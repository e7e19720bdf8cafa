#include "report/json_out.h"

#include <inttypes.h>

#include "base/assert.h"
#include "report/utf8.h"

static void put_string(FILE *file, const char *string)
{
    fputc('"', file);
    while (*string != '\0') {
        size_t length = gmt_utf8_length(string);
        unsigned char first = (unsigned char)*string;
        if (length == 0 || first < 0x20 || first == 0x7F)
            fprintf(file, "\\u%04x", first);
        else if (first == '"' || first == '\\')
            fprintf(file, "\\%c", first);
        else
            fwrite(string, 1, length, file);
        string += length ? length : 1;
    }
    fputc('"', file);
}

static void start_line(struct gmt_json *json)
{
    fputc('\n', json->file);
    for (unsigned i = 0; i < json->depth; i++)
        fputs("  ", json->file);
}

static void start_member(struct gmt_json *json, const char *key)
{
    if (json->depth > 0) {
        if (json->filled[json->depth - 1])
            fputc(',', json->file);
        json->filled[json->depth - 1] = true;
        start_line(json);
    }
    if (key) {
        put_string(json->file, key);
        fputs(": ", json->file);
    }
}

static void open_group(struct gmt_json *json, const char *key, char opener, char closer)
{
    GMT_ASSERT(json->depth < GMT_JSON_DEPTH_MAX);
    start_member(json, key);
    fputc(opener, json->file);
    json->filled[json->depth] = false;
    json->closer[json->depth++] = closer;
}

void gmt_json_object(struct gmt_json *json, const char *key)
{
    open_group(json, key, '{', '}');
}
void gmt_json_array(struct gmt_json *json, const char *key)
{
    open_group(json, key, '[', ']');
}

void gmt_json_close(struct gmt_json *json)
{
    GMT_ASSERT(json->depth > 0);
    json->depth--;
    if (json->filled[json->depth])
        start_line(json);
    fputc(json->closer[json->depth], json->file);
    if (json->depth == 0)
        fputc('\n', json->file);
}

void gmt_json_string(struct gmt_json *json, const char *key, const char *value)
{
    start_member(json, key);
    if (value)
        put_string(json->file, value);
    else
        fputs("null", json->file);
}

void gmt_json_number(struct gmt_json *json, const char *key, uint64_t value)
{
    start_member(json, key);
    fprintf(json->file, "%" PRIu64, value);
}

void gmt_json_signed(struct gmt_json *json, const char *key, int64_t value)
{
    start_member(json, key);
    fprintf(json->file, "%" PRId64, value);
}

void gmt_json_bool(struct gmt_json *json, const char *key, bool value)
{
    start_member(json, key);
    fputs(value ? "true" : "false", json->file);
}

void gmt_json_null(struct gmt_json *json, const char *key)
{
    start_member(json, key);
    fputs("null", json->file);
}

void gmt_json_seconds(struct gmt_json *json, const char *key, uint64_t nanoseconds)
{
    start_member(json, key);
    fprintf(json->file, "%" PRIu64 ".%09" PRIu64, nanoseconds / 1000000000, nanoseconds % 1000000000);
}

void gmt_json_address(struct gmt_json *json, const char *key, uint64_t address)
{
    start_member(json, key);
    fprintf(json->file, "\"0x%" PRIx64 "\"", address);
}

#include "flags.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "nearest.h"

enum { VERB_RUN = GMT_VERB_run, VERB_REPORT = GMT_VERB_report };

const struct gmt_flag gmt_flags[] = {
#define GMT_FLAG(verb, type, member, name, letter, argument, help)                                                     \
    {(enum gmt_verb)VERB_##verb, GMT_FLAG_##type, offsetof(struct gmt_arguments, member), name, letter, argument, help},
#include "flags.def"
#undef GMT_FLAG
};

const size_t gmt_flag_count = sizeof gmt_flags / sizeof gmt_flags[0];

const struct gmt_verb_row gmt_verb_rows[GMT_VERB_COUNT] = {
#define GMT_VERB(name, arguments, help) {#name, arguments, help},
#include "verbs.def"
#undef GMT_VERB
};

enum gmt_verb gmt_verb_find(const char *name)
{
    unsigned verb = 0;
    while (verb < GMT_VERB_COUNT && strcmp(gmt_verb_rows[verb].name, name) != 0)
        verb++;
    return (enum gmt_verb)verb;
}

const char *gmt_verb_nearest(const char *name)
{
    struct gmt_nearest nearest = {NULL, 0};
    for (unsigned i = 0; i < GMT_VERB_COUNT; i++)
        gmt_nearest_offer(&nearest, name, gmt_verb_rows[i].name);
    gmt_nearest_offer(&nearest, name, "help");
    return nearest.word;
}

const struct gmt_flag *gmt_flag_find(enum gmt_verb verb, const char *name, size_t length)
{
    for (size_t i = 0; i < gmt_flag_count; i++) {
        const struct gmt_flag *flag = &gmt_flags[i];
        if (flag->verb == verb && strlen(flag->name) == length && strncmp(flag->name, name, length) == 0)
            return flag;
    }
    return NULL;
}

const struct gmt_flag *gmt_flag_find_letter(enum gmt_verb verb, char letter)
{
    for (size_t i = 0; letter && i < gmt_flag_count; i++)
        if (gmt_flags[i].verb == verb && gmt_flags[i].letter == letter)
            return &gmt_flags[i];
    return NULL;
}

void gmt_flag_setting_name(const struct gmt_option_row *row, char *name_out, size_t capacity)
{
    snprintf(name_out, capacity, "%s", row->name);
    for (char *at = name_out; *at != '\0'; at++)
        if (*at == '_')
            *at = '-';
}

/* Rows of options.def that `run` decides itself. */
static bool is_decided(const char *name)
{
    static const char *const decided[] = {"help",   "off",    "dir",     "keep",          "output",
                                          "format", "render", "command", "render_seconds"};
    for (unsigned i = 0; i < sizeof decided / sizeof decided[0]; i++)
        if (strcmp(decided[i], name) == 0)
            return true;
    return false;
}

const struct gmt_option_row *gmt_flag_next_setting(const struct gmt_option_row *after)
{
    const struct gmt_option_row *row = after ? after + 1 : gmt_option_rows;
    while (row->name && is_decided(row->name))
        row++;
    return row->name ? row : NULL;
}

const struct gmt_option_row *gmt_flag_find_setting(const char *name, size_t length)
{
    char known[64];
    for (const struct gmt_option_row *row = gmt_flag_next_setting(NULL); row; row = gmt_flag_next_setting(row)) {
        gmt_flag_setting_name(row, known, sizeof known);
        if (strlen(known) == length && strncmp(known, name, length) == 0)
            return row;
    }
    return NULL;
}

const char *gmt_flag_nearest(enum gmt_verb verb, const char *typed, char *buffer, size_t capacity)
{
    struct gmt_nearest nearest = {NULL, 0};
    for (size_t i = 0; i < gmt_flag_count; i++)
        if (gmt_flags[i].verb == verb)
            gmt_nearest_offer(&nearest, typed, gmt_flags[i].name);
    const struct gmt_option_row *best = NULL;
    const struct gmt_option_row *row = verb == GMT_VERB_run ? gmt_flag_next_setting(NULL) : NULL;
    for (; row; row = gmt_flag_next_setting(row)) {
        size_t before = nearest.distance;
        gmt_flag_setting_name(row, buffer, capacity);
        struct gmt_nearest with = nearest;
        gmt_nearest_offer(&with, typed, buffer);
        if (!with.word || (nearest.word && with.distance >= before))
            continue;
        best = row;
        nearest = (struct gmt_nearest){row->name, with.distance};
    }
    if (!best)
        return nearest.word;
    gmt_flag_setting_name(best, buffer, capacity);
    return buffer;
}

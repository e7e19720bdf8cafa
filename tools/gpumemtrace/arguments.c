#include "arguments.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complaint.h"
#include "flags.h"
#include "report/heap.h"

/* One line about an option that does not exist. */
static void complain_unknown(enum gmt_verb verb, const char *word)
{
    char typed[64], buffer[64];
    const char *verb_name = gmt_verb_rows[verb].name;
    const char *nearest = NULL;
    if (word[1] == '-') {
        snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word + 2, "="), word + 2);
        nearest = gmt_flag_nearest(verb, typed, buffer, sizeof buffer);
    }
    if (nearest)
        gmt_complain("%s is not an option of %s; the nearest is --%s (gpumemtrace help %s lists them)", word, verb_name,
                     nearest, verb_name);
    else
        gmt_complain("%s is not an option of %s; gpumemtrace help %s lists them", word, verb_name, verb_name);
}

static bool store_format(struct gmt_arguments *arguments, const char *value)
{
    char name[32];
    size_t length = strcspn(value, ":");
    snprintf(name, sizeof name, "%.*s", (int)length, value);
    const struct gmt_writer *writer = gmt_writer_find(name);
    if (!writer) {
        char known[256] = "";
        for (const struct gmt_writer *each = gmt_writers; each->name; each++)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", each == gmt_writers ? "" : ", ",
                     each->name);
        gmt_complain("%s is not a report format; the formats are: %s", name, known);
        return false;
    }
    if (arguments->format_count == GMT_FORMATS_MAX) {
        gmt_complain("more than %d formats were asked for; leave some out", GMT_FORMATS_MAX);
        return false;
    }
    const char *pattern = value[length] == ':' && value[length + 1] != '\0' ? value + length + 1 : NULL;
    arguments->formats[arguments->format_count++] = (struct gmt_format_choice){writer, pattern};
    return true;
}

static bool store_folder(struct gmt_symbol_search *search, const char *value)
{
    if (search->folder_count == GMT_SYMBOL_FOLDERS_MAX) {
        gmt_complain("more than %d folders of symbols were given; leave some out", GMT_SYMBOL_FOLDERS_MAX);
        return false;
    }
    search->folders[search->folder_count++] = value;
    return true;
}

static bool store(struct gmt_arguments *arguments, const struct gmt_flag *flag, const char *value)
{
    void *member = (char *)arguments + flag->offset;
    char *end;
    long number;
    switch (flag->type) {
    case GMT_FLAG_BOOL:
        *(bool *)member = true;
        return true;
    case GMT_FLAG_TEXT:
        *(const char **)member = value;
        return true;
    case GMT_FLAG_NUMBER:
        errno = 0;
        number = strtol(value, &end, 10);
        if (!isdigit((unsigned char)value[0]) || *end != '\0' || errno != 0 || number > INT_MAX) {
            gmt_complain("--%s takes a number, not \"%s\"", flag->name, value);
            return false;
        }
        *(int *)member = (int)number;
        return true;
    case GMT_FLAG_FORMAT:
        return store_format(arguments, value);
    case GMT_FLAG_FOLDER:
        return store_folder(member, value);
    }
    return false;
}

static void append_setting(struct gmt_arguments *arguments, const char *setting)
{
    char *settings;
    if (asprintf(&settings, "%s%s%s", arguments->settings ? arguments->settings : "", arguments->settings ? ":" : "",
                 setting) < 0)
        gmt_heap_exhausted();
    free(arguments->settings);
    arguments->settings = settings;
}

/* Adds "key='value'" for the library, which could only ignore a value that does not fit. `word` is what was typed. */
static bool store_setting(struct gmt_arguments *arguments, const struct gmt_option_row *row, const char *word,
                          const char *value)
{
    char quote = strchr(value, '\'') ? '"' : '\'';
    if (strchr(value, quote)) {
        gmt_complain("the value of %s has both kinds of quotes and cannot be handed to the library; use one kind",
                     word);
        return false;
    }
    char *setting;
    bool plain = value[strcspn(value, ":'\" \n")] == '\0';
    char quotes[2] = {plain ? '\0' : quote, '\0'};
    if (asprintf(&setting, "%s=%s%s%s", row->name, quotes, value, quotes) < 0)
        gmt_heap_exhausted();
    static struct gmt_options check; /* too large for the stack */
    gmt_options_init(&check);
    bool fits = gmt_options_parse(&check, setting, NULL, NULL) == 0;
    if (fits)
        append_setting(arguments, setting);
    else
        gmt_complain("%s takes %s, not \"%s\"", word, row->unit, value);
    free(setting);
    return fits;
}

/* Walks over the words. */
struct cursor {
    int count, next;
    char **words;
};

/* The argument of an option: what is attached to it, else the next word; NULL when there is none. */
static const char *take_value(struct cursor *cursor, const char *attached)
{
    if (attached)
        return attached;
    return cursor->next < cursor->count ? cursor->words[cursor->next++] : NULL;
}

static bool parse_setting(enum gmt_verb verb, struct cursor *cursor, const char *word, const char *attached,
                          struct gmt_arguments *arguments)
{
    const struct gmt_option_row *row =
        verb == GMT_VERB_run ? gmt_flag_find_setting(word + 2, strcspn(word + 2, "=")) : NULL;
    if (!row) {
        complain_unknown(verb, word);
        return false;
    }
    bool is_bool = strcmp(row->type, "BOOL") == 0;
    const char *value = is_bool && !attached ? "1" : take_value(cursor, attached);
    if (!value) {
        gmt_complain("%s needs a value: %s", word, row->unit);
        return false;
    }
    char name[64] = "--";
    gmt_flag_setting_name(row, name + 2, sizeof name - 2);
    return store_setting(arguments, row, name, value);
}

static bool parse_option(enum gmt_verb verb, struct cursor *cursor, const char *word, struct gmt_arguments *arguments)
{
    const char *attached = NULL;
    const struct gmt_flag *flag;
    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        attached = word[2 + length] == '=' ? word + 2 + length + 1 : NULL;
        flag = gmt_flag_find(verb, word + 2, length);
        if (!flag)
            return parse_setting(verb, cursor, word, attached, arguments);
    } else {
        flag = gmt_flag_find_letter(verb, word[1]);
        attached = word[2] != '\0' ? word + 2 : NULL;
        if (!flag) {
            complain_unknown(verb, word);
            return false;
        }
    }
    if (flag->type == GMT_FLAG_BOOL) {
        if (attached)
            gmt_complain("--%s takes no value; write --%s alone", flag->name, flag->name);
        return !attached && store(arguments, flag, NULL);
    }
    const char *value = take_value(cursor, attached);
    if (value && value[0] != '\0')
        return store(arguments, flag, value);
    gmt_complain("--%s needs a value: --%s %s", flag->name, flag->name, flag->argument);
    return false;
}

bool gmt_arguments_parse(enum gmt_verb verb, int count, char **words, struct gmt_arguments *arguments_out)
{
    struct cursor cursor = {count, 0, words};
    *arguments_out = (struct gmt_arguments){
        .error_exitcode = GMT_NUMBER_UNSET, .oom = GMT_NUMBER_UNSET, .verbose = GMT_NUMBER_UNSET};
    int kept = 0; /* `report`: words that are no options move to the front */
    while (cursor.next < count) {
        char *word = words[cursor.next];
        bool is_option = word[0] == '-' && word[1] != '\0';
        if (is_option && strcmp(word, "--") != 0) {
            cursor.next++;
            if (!parse_option(verb, &cursor, word, arguments_out))
                return false;
            continue;
        }
        if (is_option || verb == GMT_VERB_run) {
            cursor.next += is_option;
            break;
        }
        words[kept++] = words[cursor.next++];
    }
    while (kept > 0 && cursor.next < count)
        words[kept++] = words[cursor.next++];
    arguments_out->rest = kept > 0 ? words : words + cursor.next;
    arguments_out->rest_count = kept > 0 ? kept : count - cursor.next;
    arguments_out->rest[arguments_out->rest_count] = NULL;
    return true;
}

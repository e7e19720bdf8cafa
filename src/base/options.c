/* The parser of GPUMEMTRACE_OPTIONS. Own loops only: it runs in a constructor, before sanitizers are ready. */
#include "base/options.h"

#include "base/text.h"

enum option_type { TYPE_BOOL, TYPE_U32, TYPE_U64, TYPE_STR };

static const struct {
    enum option_type type;
    size_t offset;
} members[] = {
#define GMT_OPTION(type, name, standard, unit, help) {TYPE_##type, offsetof(struct gmt_options, name)},
#include "base/options.def"
#undef GMT_OPTION
};

const struct gmt_option_row gmt_option_rows[] = {
#define GMT_OPTION(type, name, standard, unit, help) {#type, #name, #standard, unit, help},
#include "base/options.def"
#undef GMT_OPTION
    {NULL, NULL, NULL, NULL, NULL},
};

void gmt_options_init(struct gmt_options *options)
{
#define GMT_OPTION(type, name, standard, unit, help) options->name = standard;
#include "base/options.def"
#undef GMT_OPTION
    options->text_used = 0;
}

struct span {
    const char *start;
    size_t length;
};

static bool span_equals(struct span span, const char *name)
{
    size_t i = 0;
    while (i < span.length && name[i] == span.start[i])
        i++;
    return i == span.length && name[i] == '\0';
}

/* Levenshtein distance between a key and a table name, for names below 31 letters; good enough to find a slip. */
static unsigned distance(struct span key, const char *name)
{
    unsigned row[32];
    unsigned columns = 0;
    while (name[columns] != '\0' && columns < 31)
        columns++;
    for (unsigned j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 0; i < key.length; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i + 1;
        for (unsigned j = 1; j <= columns; j++) {
            unsigned change = diagonal + (key.start[i] != name[j - 1]);
            diagonal = row[j];
            unsigned shorter = row[j] < row[j - 1] ? row[j] : row[j - 1];
            row[j] = change < shorter + 1 ? change : shorter + 1;
        }
    }
    return row[columns];
}

static const char *nearest_name(struct span key)
{
    const char *best = gmt_option_rows[0].name;
    unsigned least = ~0u;
    for (const struct gmt_option_row *row = gmt_option_rows; row->name; row++) {
        unsigned d = distance(key, row->name);
        if (d < least) {
            least = d;
            best = row->name;
        }
    }
    return best;
}

static bool parse_number(struct span value, uint64_t *number_out, size_t *digits_out)
{
    uint64_t number = 0;
    size_t i = 0;
    while (i < value.length && value.start[i] >= '0' && value.start[i] <= '9') {
        uint64_t digit = (uint64_t)(value.start[i] - '0');
        if (__builtin_mul_overflow(number, (uint64_t)10, &number) || __builtin_add_overflow(number, digit, &number))
            return false;
        i++;
    }
    *number_out = number;
    *digits_out = i;
    return i > 0;
}

/* A number with an optional unit: K, M, G, T, alone or followed by "iB" or "B"; all count in 1024s. */
static bool parse_size(struct span value, uint64_t *bytes_out)
{
    size_t digits;
    if (!parse_number(value, bytes_out, &digits))
        return false;
    struct span unit = {value.start + digits, value.length - digits};
    if (unit.length == 0)
        return true;
    static const char letters[] = "KMGT";
    for (unsigned i = 0; i < 4; i++) {
        if ((unit.start[0] | 32) != (letters[i] | 32))
            continue;
        struct span rest = {unit.start + 1, unit.length - 1};
        if (rest.length != 0 && !span_equals(rest, "iB") && !span_equals(rest, "B"))
            return false;
        return !__builtin_mul_overflow(*bytes_out, (uint64_t)1 << (10 * (i + 1)), bytes_out);
    }
    return false;
}

/* The unit of a row says what it takes: "1..256" is a range of numbers, "text|json" a choice of words. */
static bool in_range(const char *unit, uint64_t number)
{
    size_t length = 0;
    while (unit[length] != '\0')
        length++;
    struct span rest = {unit, length};
    uint64_t least;
    uint64_t most;
    size_t digits;
    if (!parse_number(rest, &least, &digits) || unit[digits] != '.')
        return true;
    rest = (struct span){unit + digits + 2, length - digits - 2};
    return parse_number(rest, &most, &digits) && number >= least && number <= most;
}

static bool is_choice(const char *unit, struct span value)
{
    bool choices = false;
    for (const char *at = unit; *at != '\0'; at++)
        choices |= *at == '|';
    for (const char *word = unit; choices;) {
        struct span known = {word, 0};
        while (word[known.length] != '\0' && word[known.length] != '|')
            known.length++;
        size_t same = 0;
        while (same < value.length && same < known.length && value.start[same] == word[same])
            same++;
        if (same == value.length && same == known.length)
            return true;
        if (word[known.length] == '\0')
            return false;
        word += known.length + 1;
    }
    return true;
}

static bool keep_text(struct gmt_options *options, struct span value, const char **text_out)
{
    if (value.length >= GMT_OPTIONS_TEXT_BYTES - options->text_used)
        return false;
    char *copy = options->text + options->text_used;
    for (size_t i = 0; i < value.length; i++)
        copy[i] = value.start[i];
    copy[value.length] = '\0';
    options->text_used += value.length + 1;
    *text_out = copy;
    return true;
}

/* Stores `value` in the member of row `index`; false when it is malformed. */
static bool store(struct gmt_options *options, size_t index, struct span value)
{
    void *member = (char *)options + members[index].offset;
    uint64_t number = 0;
    size_t digits = 0;
    switch (members[index].type) {
    case TYPE_BOOL:
        if (!parse_number(value, &number, &digits) || digits != value.length || number > 1)
            return false;
        *(bool *)member = number != 0;
        return true;
    case TYPE_U32:
        if (!parse_number(value, &number, &digits) || digits != value.length || number > UINT32_MAX ||
            !in_range(gmt_option_rows[index].unit, number))
            return false;
        *(uint32_t *)member = (uint32_t)number;
        return true;
    case TYPE_U64:
        if (!parse_size(value, &number))
            return false;
        *(uint64_t *)member = number;
        return true;
    case TYPE_STR:
        return is_choice(gmt_option_rows[index].unit, value) && keep_text(options, value, (const char **)member);
    }
    return false;
}

struct complaints {
    gmt_complain_fn *tell;
    void *argument;
    unsigned count;
};

static void complain(struct complaints *complaints, struct span key, const char *middle, const char *tail)
{
    char buffer[512];
    struct gmt_text text = gmt_text_over(buffer, sizeof buffer);
    gmt_text_add(&text, GMT_OPTIONS_VARIABLE ": \"");
    gmt_text_add_part(&text, key.start, key.length < 100 ? key.length : 100);
    gmt_text_add(&text, middle);
    gmt_text_add(&text, tail);
    complaints->count++;
    if (complaints->tell)
        complaints->tell(complaints->argument, buffer);
}

static void apply(struct gmt_options *options, struct span key, struct span value, struct complaints *complaints)
{
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        if (!span_equals(key, gmt_option_rows[i].name))
            continue;
        if (!store(options, i, value))
            complain(complaints, key, "\" was ignored because its value does not fit; it takes ",
                     gmt_option_rows[i].unit);
        return;
    }
    complain(complaints, key, "\" is not an option and was ignored; the nearest is ", nearest_name(key));
}

/* Reads one value that starts at *at, quoted or not, and leaves *at behind it. False when a quote has no end. */
static bool read_value(const char **at, struct span *value_out)
{
    const char *start = *at;
    char quote = *start;
    if (quote == '\'' || quote == '"') {
        const char *end = ++start;
        while (*end != '\0' && *end != quote)
            end++;
        *value_out = (struct span){start, (size_t)(end - start)};
        *at = *end == quote ? end + 1 : end;
        return *end == quote;
    }
    const char *end = start;
    while (*end != '\0' && *end != ':')
        end++;
    *value_out = (struct span){start, (size_t)(end - start)};
    *at = end;
    return true;
}

unsigned gmt_options_parse(struct gmt_options *options, const char *string, gmt_complain_fn *tell, void *argument)
{
    struct complaints complaints = {tell, argument, 0};
    const char *at = string;
    while (*at != '\0') {
        if (*at == ':' || *at == ' ' || *at == '\n') {
            at++;
            continue;
        }
        struct span key = {at, 0};
        while (*at != '\0' && *at != '=' && *at != ':')
            at++;
        key.length = (size_t)(at - key.start);
        if (*at != '=') {
            complain(&complaints, key, "\" was ignored because it has no value; write ", "key=value");
            continue;
        }
        at++;
        struct span value;
        if (!read_value(&at, &value))
            complain(&complaints, key, "\" was ignored because its quote has no end", "");
        else
            apply(options, key, value, &complaints);
        if (*at != '\0' && *at != ':') {
            complain(&complaints, key, "\" has text after its closing quote, which was ignored", "");
            while (*at != '\0' && *at != ':')
                at++;
        }
    }
    return complaints.count;
}

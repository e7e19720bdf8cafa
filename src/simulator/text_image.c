/* Reads declarations of variables out of PTX: what stands outside of braces, token by token. */
#include "simulator/text_image.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TOKEN_MAX = 512 };

struct reader {
    const char *at;
    char token[TOKEN_MAX]; /* empty at the end */
};

/* One declaration so far. */
struct declaration {
    bool in_memory; /* .global or .const */
    bool elsewhere; /* .extern */
    bool managed, unsized, has_contents;
    uint64_t bits, count;
    char name[TOKEN_MAX];
};

static void skip_blanks(struct reader *reader)
{
    for (;;) {
        reader->at += strspn(reader->at, " \t\r\n");
        const char *end;
        if (strncmp(reader->at, "//", 2) == 0)
            end = reader->at + strcspn(reader->at, "\n");
        else if (strncmp(reader->at, "/*", 2) == 0)
            end = (end = strstr(reader->at + 2, "*/")) ? end + 2 : reader->at + strlen(reader->at);
        else
            return;
        reader->at = end;
    }
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* A directive with its dot, a word or number, or one other character; a quoted text as a quote. */
static bool next(struct reader *reader)
{
    skip_blanks(reader);
    const char *start = reader->at;
    size_t length = *start != '\0';
    if (*start == '.' || in_word(*start)) {
        while (in_word(start[length]))
            length++;
    } else if (*start == '"') {
        const char *end = strchr(start + 1, '"');
        reader->at = end ? end + 1 : start + strlen(start);
        strcpy(reader->token, "\"");
        return true;
    }
    reader->at += length;
    length = length < TOKEN_MAX ? length : TOKEN_MAX - 1;
    memcpy(reader->token, start, length);
    reader->token[length] = '\0';
    return length > 0;
}

static bool is(const struct reader *reader, const char *token)
{
    return strcmp(reader->token, token) == 0;
}

/* Reads to the brace that closes the one just read; the number of its elements. */
static uint64_t skip_braces(struct reader *reader)
{
    uint64_t elements = 1;
    for (int depth = 1; depth > 0 && next(reader);) {
        depth += is(reader, "{") - is(reader, "}");
        elements += is(reader, ",");
    }
    return elements;
}

/* Bits of .b8, .u32, .f16x2 and the like; 0 for what is no type. */
static uint64_t bits_of(const char *token)
{
    const char *digits = token + strcspn(token, "0123456789");
    char *end;
    if (token[0] != '.' || !*digits || token[1] == 'v')
        return 0;
    uint64_t bits = strtoull(digits, &end, 10);
    return strcmp(end, "x2") == 0 ? 2 * bits : bits;
}

static void read_extent(struct reader *reader, struct declaration *declaration)
{
    if (!next(reader) || is(reader, "]")) {
        declaration->unsized = true;
        return;
    }
    declaration->count *= strtoull(reader->token, NULL, 0);
    next(reader);
}

static void read_part(struct reader *reader, struct declaration *declaration)
{
    if (is(reader, ".global") || is(reader, ".const"))
        declaration->in_memory = true;
    else if (is(reader, ".extern"))
        declaration->elsewhere = true;
    else if (is(reader, ".managed"))
        declaration->managed = true;
    else if (is(reader, ".align"))
        next(reader);
    else if (is(reader, ".v2") || is(reader, ".v4"))
        declaration->count *= is(reader, ".v2") ? 2 : 4;
    else if (is(reader, "="))
        declaration->has_contents = true;
    else if (is(reader, "[") && declaration->name[0])
        read_extent(reader, declaration);
    else if (declaration->in_memory && declaration->bits == 0)
        declaration->bits = bits_of(reader->token);
    else if (declaration->bits > 0 && !declaration->name[0] && in_word(reader->token[0]))
        strcpy(declaration->name, reader->token);
}

bool gmt_sim_text_visit_variables(const char *text, gmt_sim_variable_visit *visit, void *argument)
{
    static const struct declaration none = {.count = 1};
    struct reader reader = {.at = text};
    struct declaration declaration = none;
    while (next(&reader)) {
        if (is(&reader, "{") && declaration.has_contents) {
            uint64_t elements = skip_braces(&reader);
            declaration.count *= declaration.unsized ? elements : 1;
        } else if (is(&reader, "{")) {
            skip_braces(&reader); /* a function */
            declaration = none;
        } else if (is(&reader, ";")) {
            struct gmt_sim_image_variable variable = {.bytes = declaration.bits / 8 * declaration.count,
                                                      .managed = declaration.managed};
            bool defined = declaration.name[0] && !declaration.elsewhere && variable.bytes > 0;
            if (defined && !visit(declaration.name, &variable, argument))
                return false;
            declaration = none;
        } else {
            read_part(&reader, &declaration);
        }
    }
    return true;
}

#include "report/kinds.h"

#include <string.h>

#include "report/words.h"

const char *gmt_kind_json(enum gmt_kind kind)
{
    return gmt_kind_facts(kind)->json;
}

const char *gmt_kind_words(enum gmt_kind kind)
{
    return gmt_kind_facts(kind)->words;
}

enum gmt_space gmt_kind_space(enum gmt_kind kind)
{
    return gmt_kind_facts(kind)->space;
}

bool gmt_kind_leaks(enum gmt_kind kind)
{
    return gmt_kind_facts(kind)->rest == GMT_REST_LEAK;
}

bool gmt_kind_is_object(enum gmt_kind kind)
{
    return gmt_kind_facts(kind)->rest == GMT_REST_LEFT;
}

const char *gmt_space_json(enum gmt_space space)
{
    static const char *const names[GMT_SPACE_COUNT] = {
#define X(name, json, words) json,
        GMT_SPACES(X)
#undef X
    };
    return names[space];
}

const char *gmt_space_words(enum gmt_space space)
{
    static const char *const names[GMT_SPACE_COUNT] = {
#define X(name, json, words) words,
        GMT_SPACES(X)
#undef X
    };
    return names[space];
}

bool gmt_space_is_memory(enum gmt_space space)
{
    return space != GMT_SPACE_ADDRESSES && space != GMT_SPACE_OBJECT;
}

/* Length of what is counted: of "library of device code" the library. */
static size_t noun_length(const char *words)
{
    const char *rest = strstr(words, " of ");
    return rest ? (size_t)(rest - words) : strlen(words);
}

const char *gmt_kind_one(struct gmt_heap *heap, enum gmt_kind kind)
{
    const char *words = gmt_kind_words(kind);
    size_t length = noun_length(words), memory = strlen("memory");
    bool uncounted =
        (length >= memory && strncmp(words + length - memory, "memory", memory) == 0) || words[length - 1] == 's';
    if (uncounted)
        return words;
    return gmt_heap_print(heap, "%s %s", strchr("aeiou", words[0]) ? "an" : "a", words);
}

const char *gmt_kind_count(struct gmt_heap *heap, uint64_t number, enum gmt_kind kind)
{
    const char *words = gmt_kind_words(kind);
    size_t length = noun_length(words);
    bool to_ies = number != 1 && words[length - 1] == 'y';
    return gmt_heap_print(heap, "%s %.*s%s%s", gmt_words_number(heap, number), (int)(length - to_ies), words,
                          number == 1 ? ""
                          : to_ies    ? "ies"
                                      : "s",
                          words + length);
}

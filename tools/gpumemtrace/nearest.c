#include "nearest.h"

#include <string.h>

#define LETTERS_MAX 63

/* Levenshtein distance of two words of at most LETTERS_MAX letters. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t row[LETTERS_MAX + 1];
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 0; i < a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j <= b_length; j++) {
            size_t least = diagonal + (a[i] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < least)
                least = row[j] + 1;
            if (row[j - 1] + 1 < least)
                least = row[j - 1] + 1;
            row[j] = least;
        }
    }
    return row[b_length];
}

void gmt_nearest_offer(struct gmt_nearest *nearest, const char *typed, const char *candidate)
{
    size_t typed_length = strlen(typed), length = strlen(candidate);
    if (typed_length > LETTERS_MAX || length > LETTERS_MAX)
        return;
    size_t found = distance(typed, typed_length, candidate, length);
    if (found > length / 2 || (nearest->word && found >= nearest->distance))
        return;
    nearest->word = candidate;
    nearest->distance = found;
}

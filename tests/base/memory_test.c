/* The library's own memory and string functions against libc's, at every small size, alignment and overlap. They are
 * compiled under other names here: own_memcpy for memcpy and so on. */
#include "support/unit_test.h"

#include <string.h>

void *own_memcpy(void *target, const void *source, size_t bytes);
void *own_memmove(void *target, const void *source, size_t bytes);
void *own_memset(void *target, int byte, size_t bytes);
int own_memcmp(const void *a, const void *b, size_t bytes);
size_t own_strlen(const char *string);
int own_strncmp(const char *a, const char *b, size_t bytes);
int own_strcmp(const char *a, const char *b);
char *own_strcpy(char *target, const char *source);
char *own_strchr(const char *string, int c);
char *own_strrchr(const char *string, int c);

#define ROOM 96

static unsigned char source[ROOM];
static unsigned char mine[ROOM];
static unsigned char libcs[ROOM];

static void fill(void)
{
    for (unsigned i = 0; i < ROOM; i++) {
        source[i] = (unsigned char)(i * 37 + 11);
        mine[i] = libcs[i] = (unsigned char)(200 - i);
    }
}

static void memcpy_is_libcs(void **state)
{
    (void)state;
    for (unsigned from = 0; from < 9; from++) {
        for (unsigned to = 0; to < 9; to++) {
            for (unsigned bytes = 0; bytes < 40; bytes++) {
                fill();
                assert_ptr_equal(own_memcpy(mine + to, source + from, bytes), mine + to);
                memcpy(libcs + to, source + from, bytes);
                assert_memory_equal(mine, libcs, ROOM);
            }
        }
    }
}

static void memmove_is_libcs_for_every_overlap(void **state)
{
    (void)state;
    for (unsigned from = 0; from < 40; from++) {
        for (unsigned to = 0; to < 40; to++) {
            for (unsigned bytes = 0; bytes < 40; bytes += 1 + bytes / 20) {
                fill();
                assert_ptr_equal(own_memmove(mine + to, mine + from, bytes), mine + to);
                memmove(libcs + to, libcs + from, bytes);
                assert_memory_equal(mine, libcs, ROOM);
            }
        }
    }
}

static void memset_is_libcs(void **state)
{
    static const int bytes_set[] = {0, 1, 0x80, 0xff, -1, 0x1ff};
    (void)state;
    for (unsigned b = 0; b < sizeof bytes_set / sizeof bytes_set[0]; b++) {
        for (unsigned to = 0; to < 9; to++) {
            for (unsigned bytes = 0; bytes < 40; bytes++) {
                fill();
                assert_ptr_equal(own_memset(mine + to, bytes_set[b], bytes), mine + to);
                memset(libcs + to, bytes_set[b], bytes);
                assert_memory_equal(mine, libcs, ROOM);
            }
        }
    }
}

static int sign(int number)
{
    return (number > 0) - (number < 0);
}

static void memcmp_finds_the_first_difference(void **state)
{
    (void)state;
    for (unsigned bytes = 0; bytes < 40; bytes++) {
        for (unsigned at = 0; at < 40; at++) {
            fill();
            memcpy(mine, source, ROOM);
            assert_int_equal(own_memcmp(mine, source, bytes), 0);
            mine[at] ^= 0x80;
            mine[at + 1] ^= 0x55; /* a later one must not count */
            assert_int_equal(sign(own_memcmp(mine, source, bytes)), sign(memcmp(mine, source, bytes)));
            assert_int_equal(sign(own_memcmp(source, mine, bytes)), sign(memcmp(source, mine, bytes)));
        }
    }
}

static const char *const strings[] = {"", "a", "b", "ab", "abc", "abd", "\xff", "a\x80", "LD_PRELOAD=", "/a/b/c", "//"};
#define STRINGS (sizeof strings / sizeof strings[0])

static void comparisons_are_libcs(void **state)
{
    (void)state;
    for (unsigned i = 0; i < STRINGS; i++) {
        for (unsigned j = 0; j < STRINGS; j++) {
            assert_int_equal(sign(own_strcmp(strings[i], strings[j])), sign(strcmp(strings[i], strings[j])));
            for (size_t bytes = 0; bytes < 5; bytes++)
                assert_int_equal(sign(own_strncmp(strings[i], strings[j], bytes)),
                                 sign(strncmp(strings[i], strings[j], bytes)));
        }
    }
}

static void searches_and_copies_are_libcs(void **state)
{
    static const int letters[] = {'\0', 'a', 'b', '/', 0xff, -1, 0x100 + 'a'};
    char copy[16];
    (void)state;
    for (unsigned i = 0; i < STRINGS; i++) {
        assert_int_equal(own_strlen(strings[i]), strlen(strings[i]));
        assert_ptr_equal(own_strcpy(copy, strings[i]), copy);
        assert_string_equal(copy, strings[i]);
        for (unsigned c = 0; c < sizeof letters / sizeof letters[0]; c++) {
            assert_ptr_equal(own_strchr(strings[i], letters[c]), strchr(strings[i], letters[c]));
            assert_ptr_equal(own_strrchr(strings[i], letters[c]), strrchr(strings[i], letters[c]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memcpy_is_libcs),       cmocka_unit_test(memmove_is_libcs_for_every_overlap),
        cmocka_unit_test(memset_is_libcs),       cmocka_unit_test(memcmp_finds_the_first_difference),
        cmocka_unit_test(comparisons_are_libcs), cmocka_unit_test(searches_and_copies_are_libcs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

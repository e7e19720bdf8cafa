/* libc's memory and string functions for the preloaded library alone, hidden: its calls end here. Those of the process
 * may be a sanitizer's, which sees that our memory is shared but not the locks that guard it and calls that a data race
 * of the program's, or may be defined by the program itself. Built without built-ins, so that no loop becomes a call of
 * itself. Words are read at any address, which both architectures allow. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t word __attribute__((may_alias, aligned(1)));
#define WORD sizeof(word)

/* A vector register's worth: SSE2 and Advanced SIMD are part of the two architectures. */
typedef uint64_t wide __attribute__((vector_size(16), may_alias, aligned(1)));

/* Forward, which is right for every overlap where the target starts before the source. */
static void *copy_forward(char *target, const char *source, size_t bytes)
{
    char *to = target;
    for (; bytes >= sizeof(wide); bytes -= sizeof(wide), to += sizeof(wide), source += sizeof(wide))
        *(wide *)to = *(const wide *)source;
    for (; bytes >= WORD; bytes -= WORD, to += WORD, source += WORD)
        *(word *)to = *(const word *)source;
    while (bytes-- > 0)
        *to++ = *source++;
    return target;
}

void *memcpy(void *restrict target, const void *restrict source, size_t bytes)
{
    return copy_forward(target, source, bytes);
}

void *memmove(void *target, const void *source, size_t bytes)
{
    char *to = target;
    const char *from = source;
    if ((uintptr_t)to - (uintptr_t)from >= bytes) /* the target starts before the source, or behind its end */
        return copy_forward(target, source, bytes);
    while (bytes-- > 0)
        to[bytes] = from[bytes];
    return target;
}

void *memset(void *target, int byte, size_t bytes)
{
    char *to = target;
    const word filled = (unsigned char)byte * (word)0x0101010101010101ull;
    for (; bytes >= WORD; bytes -= WORD, to += WORD)
        *(word *)to = filled;
    while (bytes-- > 0)
        *to++ = (char)byte;
    return target;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
    const unsigned char *left = a;
    const unsigned char *right = b;
    for (; bytes >= WORD && *(const word *)left == *(const word *)right; bytes -= WORD) {
        left += WORD;
        right += WORD;
    }
    for (; bytes > 0; bytes--, left++, right++) {
        if (*left != *right)
            return *left - *right;
    }
    return 0;
}

size_t strlen(const char *string)
{
    size_t length = 0;
    while (string[length] != '\0')
        length++;
    return length;
}

int strncmp(const char *a, const char *b, size_t bytes)
{
    for (; bytes > 0 && *a == *b; bytes--, a++, b++) {
        if (*a == '\0')
            return 0;
    }
    return bytes > 0 ? (unsigned char)*a - (unsigned char)*b : 0;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, SIZE_MAX);
}

char *strcpy(char *restrict target, const char *restrict source)
{
    return memcpy(target, source, strlen(source) + 1);
}

char *strchr(const char *string, int c)
{
    for (; *string != (char)c; string++) {
        if (*string == '\0')
            return NULL;
    }
    return (char *)(uintptr_t)string;
}

char *strrchr(const char *string, int c)
{
    size_t i = strlen(string) + 1;
    while (i-- > 0) {
        if (string[i] == (char)c)
            return (char *)(uintptr_t)string + i;
    }
    return NULL;
}

/* Frames of different shapes in turn below the same callers: with and without a frame pointer, with the register used
 * for something else, leaf calls through pointers, recursion. Each ends in a malloc, where compare_preload looks. */
#include <stdio.h>
#include <stdlib.h>

/* The compiler must not see that nothing is done with the memory. */
static void *(*volatile allocate)(size_t) = malloc;

static volatile size_t sink;

#define WITH_FP __attribute__((noinline, optimize("no-omit-frame-pointer")))
#define WITHOUT_FP __attribute__((noinline, optimize("omit-frame-pointer")))
#define KEEP_FRAME() __asm__ volatile("" ::: "memory") /* no tail call */

WITH_FP static void takes_with(size_t bytes)
{
    free(allocate(bytes));
    KEEP_FRAME();
}

/* Keeps more values over the call than there are other registers: the frame pointer's is one of many that are saved,
 * and not the first. */
WITHOUT_FP static void takes_in_loop(size_t bytes)
{
    size_t a = bytes, b = bytes * 3, c = bytes * 5, d = bytes * 7, e = bytes * 11;
    for (size_t i = 0; i < bytes % 5 + 1; i++) {
        free(allocate(bytes % 64 + i));
        a += b ^ i;
        b += c ^ a;
        c += d ^ b;
        d += e ^ c;
        e += a ^ d;
    }
    sink = a + b + c + d + e;
    KEEP_FRAME();
}

WITHOUT_FP static void takes_pushing(size_t bytes)
{
    volatile size_t garbage[6] = {bytes, ~bytes, bytes * 3, bytes * 5, bytes * 7, bytes * 11};
    free(allocate(garbage[0] & 255));
    KEEP_FRAME();
}

WITH_FP static void recurses(size_t bytes, void (*take)(size_t))
{
    if (bytes % 8)
        recurses(bytes - 1, take);
    else
        take(bytes + 1);
    KEEP_FRAME();
}

WITHOUT_FP static void recurses_without(size_t bytes, void (*take)(size_t))
{
    if (bytes % 6)
        recurses_without(bytes - 1, take);
    else
        recurses(bytes + 7, take);
    KEEP_FRAME();
}

/* One caller that is left by its frame pointer, and one call in it: below it the same slot holds the saved frame
 * pointer, and then something else. */
WITH_FP static void calls(size_t bytes, void (*take)(size_t))
{
    take(bytes);
    KEEP_FRAME();
}

int main(void)
{
    static void (*const takes[])(size_t) = {takes_with, takes_in_loop, takes_pushing};
    for (size_t i = 0; i < 3000; i++) {
        takes[i % 3](i);
        takes[i * 7 % 3](i);
        recurses(i, takes[i % 3]);
        calls(i, takes_with);
        calls(i, takes_pushing);
        calls(i, takes_pushing);
        calls(i, takes_in_loop);
        calls(i, takes_in_loop);
        recurses_without(i, takes[i * 5 % 3]);
    }
    puts("done");
    return 0;
}

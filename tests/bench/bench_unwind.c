/* Nanoseconds per frame: the tracer's unwinder beside _Unwind_Backtrace and glibc's backtrace(), on the same warm
 * stacks in the same run. Prints one row per depth; with --check it fails when ours is not at least 4 times faster than
 * _Unwind_Backtrace (a ratio, because machines are noisy). */
#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unwind.h>

#include "base/stack_cache.h"
#include "base/unwind.h"

#define ROUNDS 1000
#define BATCHES 20   /* the fastest counts: the others were disturbed */
#define DEPTH_MAX 64 /* the option depth's default: what the library records */

static double fresh_ns;
static double ours_ns;
static double known_ns;
static double libunwind_ns;
static double compilers_ns;
static double glibc_ns;
static unsigned frames;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static _Unwind_Reason_Code count(struct _Unwind_Context *context, void *argument)
{
    unsigned *counted = argument;
    return _Unwind_GetIP(context) && ++*counted < DEPTH_MAX ? _URC_NO_REASON : _URC_END_OF_STACK;
}

typedef void once_fn(const struct gmt_registers *here, uint32_t round);

/* A new code epoch makes the thread forget its last walk, but the rules are worked out again too: two epochs in turn
 * keep both sets of rules warm. */
static void walk_fresh(const struct gmt_registers *here, uint32_t round)
{
    struct gmt_unwound unwound;
    gmt_unwind(here, DEPTH_MAX, 1 + round % 2, &unwound);
    frames = unwound.depth;
}

static void walk_again(const struct gmt_registers *here, uint32_t round)
{
    struct gmt_unwound unwound;
    (void)round;
    gmt_unwind(here, DEPTH_MAX, 0, &unwound);
}

/* What the hooks do for a stack that comes again: no walk at all. */
static void ask_cache(const struct gmt_registers *here, uint32_t round)
{
    uint32_t number;
    (void)round;
    if (!gmt_stack_cache_find(here, DEPTH_MAX, 0, &number)) {
        walk_again(here, round);
        gmt_stack_cache_add(here, DEPTH_MAX, 0, frames);
    }
}

static void walk_by_compiler(const struct gmt_registers *here, uint32_t round)
{
    unsigned counted = 0;
    (void)here;
    (void)round;
    _Unwind_Backtrace(count, &counted);
}

static void walk_by_glibc(const struct gmt_registers *here, uint32_t round)
{
    void *addresses[DEPTH_MAX];
    (void)here;
    (void)round;
    backtrace(addresses, DEPTH_MAX);
}

static int (*libunwind_backtrace)(void **addresses, int count); /* NULL where it is not installed */

static void walk_by_libunwind(const struct gmt_registers *here, uint32_t round)
{
    void *addresses[DEPTH_MAX];
    (void)here;
    (void)round;
    libunwind_backtrace(addresses, DEPTH_MAX);
}

static double time_of(once_fn *once, uint32_t rounds)
{
    struct gmt_registers here = gmt_registers_here();
    double best = 1e18;
    for (int batch = 0; batch < BATCHES; batch++) {
        double start = now();
        for (uint32_t round = 0; round < rounds; round++)
            once(&here, round);
        double each = (now() - start) / rounds;
        best = each < best ? each : best;
    }
    return best;
}

static void measure(void)
{
    fresh_ns = time_of(walk_fresh, ROUNDS);
    ours_ns = time_of(walk_again, ROUNDS);
    known_ns = time_of(ask_cache, ROUNDS);
    compilers_ns = time_of(walk_by_compiler, ROUNDS / 20);
    glibc_ns = time_of(walk_by_glibc, ROUNDS / 20);
    if (libunwind_backtrace)
        libunwind_ns = time_of(walk_by_libunwind, ROUNDS);
}

/* Two functions that call each other, so that frames differ. */
static void dig_other(int depth);

__attribute__((noinline)) static void dig(int depth)
{
    volatile char room[48];
    room[0] = (char)depth;
    if (depth <= 0)
        measure();
    else
        dig_other(depth - 1);
    room[1] = room[0];
}

__attribute__((noinline)) static void dig_other(int depth)
{
    if (depth <= 0)
        measure();
    else
        dig(depth - 1);
    __asm__ volatile("");
}

int main(int argc, char **argv)
{
    int slow = 0;
    void *library = dlopen("libunwind.so.8", RTLD_NOW);
    if (library)
        libunwind_backtrace = (int (*)(void **, int))dlsym(library, "unw_backtrace");
    printf("%8s %8s %8s %8s %18s %12s  (ns per frame)\n", "frames", "fresh", "again", "known", "_Unwind_Backtrace",
           "backtrace()");
    for (int depth = 5; depth <= 80; depth += depth == 5 ? 15 : 30) {
        dig(depth);
        printf("%8u %8.1f %8.1f %8.1f %18.1f %12.1f\n", frames, fresh_ns / frames, ours_ns / frames, known_ns / frames,
               compilers_ns / frames, glibc_ns / frames);
        if (libunwind_backtrace)
            printf("         libunwind: %.1f\n", libunwind_ns / frames);
        slow += fresh_ns * 4 > compilers_ns;
    }
    return argc > 1 && strcmp(argv[1], "--check") == 0 && slow ? 1 : 0;
}

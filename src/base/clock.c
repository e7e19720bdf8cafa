/* The clock behind every record, and its replacement in tests. */
#include "base/clock.h"

#include <stddef.h>
#include <time.h>

static uint64_t (*replacement)(void);

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    if (clock_gettime(clock, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t gmt_clock_now(void)
{
    return replacement ? replacement() : read_clock(CLOCK_MONOTONIC_COARSE);
}

uint64_t gmt_clock_wall(void)
{
    return read_clock(CLOCK_REALTIME);
}

void gmt_clock_replace(uint64_t (*source)(void))
{
    replacement = source;
}

/* Time for records: nanoseconds of CLOCK_MONOTONIC_COARSE, good to about 4 ms and read without a system call. */
#ifndef GMT_BASE_CLOCK_H
#define GMT_BASE_CLOCK_H

#include <stdint.h>

/* Now, in nanoseconds since an arbitrary fixed instant. Safe everywhere. */
uint64_t gmt_clock_now(void);

/* Wall clock, in nanoseconds since 1970-01-01 UTC. */
uint64_t gmt_clock_wall(void);

/* For tests: makes gmt_clock_now return what `source` returns; NULL gives the real clock back. */
void gmt_clock_replace(uint64_t (*source)(void));

#endif

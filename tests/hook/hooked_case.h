/* A test program of cases that run inside of a traced process, on the tests' driver: what they share. Outside it runs
 * each case by preloaded.h; inside, EXPECT tells of what is not as it should be, and goes on. */
#ifndef GMT_TESTS_HOOKED_CASE_H
#define GMT_TESTS_HOOKED_CASE_H

#include "support/unit_test.h"

#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>

#include <stdio.h>

#include "preloaded.h"
#include "table_driver.h"
#include "trace_counts.h"

struct hooked_case {
    const char *name;
    void (*inside)(void);
    struct preloaded how; /* `before` and `after` are names of variables of the environment */
    unsigned traces;      /* files that are left */
};

/* The program's main. */
int hooked_main(int argc, char **argv, const struct hooked_case *cases, unsigned count);

/* Inside. The trace is open after open_trace, which initialises CUDA. */
extern const struct gmt_trace_header *trace;
extern unsigned faults;
void open_trace(void);

#define EXPECT(condition)                                                                                              \
    ((condition) ? (void)0 : (void)(faults++, fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))

/* Takes memory there. */
CUdeviceptr allocate(uint64_t address, size_t bytes);

/* The failure with this number, or one of zeros; and how many there are. */
const struct gmt_failure_record *failure(unsigned index);
unsigned failures(void);

/* What lives there, or a block of zeros; and its site. */
const struct gmt_block_record *live(uint64_t address);
const struct gmt_site_record *site_of(const struct gmt_block_record *block);

#endif

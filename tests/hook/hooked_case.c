/* See hooked_case.h. */
#include "hooked_case.h"

#include <stdlib.h>
#include <string.h>

#define CASES_MAX 64

const struct gmt_trace_header *trace;
unsigned faults;

void open_trace(void)
{
    EXPECT(cuInit(0) == CUDA_SUCCESS);
    trace = preloaded_trace() ? trace_reader_open(preloaded_trace()) : NULL;
    if (!trace) {
        fputs("there is no trace\n", stderr);
        exit(1);
    }
}

CUdeviceptr allocate(uint64_t address, size_t bytes)
{
    CUdeviceptr block = 0;
    table_driver_set_address(address);
    EXPECT(cuMemAlloc_v2(&block, bytes) == CUDA_SUCCESS);
    EXPECT(block == address);
    return block;
}

unsigned failures(void)
{
    return (unsigned)trace_reader_used(trace, GMT_SECTION_FAILURES);
}

const struct gmt_failure_record *failure(unsigned index)
{
    static const struct gmt_failure_record none;
    return index < failures() ? &trace_reader_FAILURES(trace)[index] : &none;
}

const struct gmt_block_record *live(uint64_t address)
{
    static const struct gmt_block_record none;
    const struct gmt_block_record *block = trace_live_block(trace, address);
    return block ? block : &none;
}

const struct gmt_site_record *site_of(const struct gmt_block_record *block)
{
    return &trace_reader_SITES(trace)[block->site];
}

static const struct hooked_case *cases;

static void run_case(void **state)
{
    const struct hooked_case *which = &cases[(uintptr_t)*state];
    struct preloaded how = which->how;
    unsigned traces = 99;
    how.before = how.before ? getenv(how.before) : NULL;
    how.after = how.after ? getenv(how.after) : NULL;
    assert_int_equal(preloaded_run(which->name, &how, &traces), 0);
    assert_int_equal(traces, which->traces);
}

int hooked_main(int argc, char **argv, const struct hooked_case *list, unsigned count)
{
    struct CMUnitTest tests[CASES_MAX];
    cases = list;
    for (unsigned i = 0; i < count && i < CASES_MAX; i++) {
        tests[i] = (struct CMUnitTest){cases[i].name, run_case, NULL, NULL, (void *)(uintptr_t)i};
        if (argc > 1 && strcmp(argv[1], cases[i].name) == 0) {
            cases[i].inside();
            return faults ? 1 : 0;
        }
    }
    return argc > 1 ? 2 : _cmocka_run_group_tests("cases", tests, count, NULL, NULL);
}

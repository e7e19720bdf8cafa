/* What the tests of the simulated device share. */
#ifndef GMT_TESTS_SIMULATED_H
#define GMT_TESTS_SIMULATED_H

#include "support/unit_test.h"

#include <cuda.h>

#define KIB 1024ull
#define MIB (1024ull * 1024)
#define GIB (1024ull * 1024 * 1024)

/* Every simulated device of these tests has 8 GiB. After the first context, measured on an H200. */
#define FREE_AFTER_FIRST_CONTEXT 8037531648ull

#define assert_ok(call) assert_int_equal(call, CUDA_SUCCESS)

/* Free bytes of the current context's device. */
static inline uint64_t free_bytes(void)
{
    size_t free_now = 0, total = 0;
    assert_ok(cuMemGetInfo(&free_now, &total));
    assert_int_equal(total, 8589934592ull);
    return free_now;
}

/* Makes the primary context of device 0 current, and holds it. */
static inline int use_primary(void **state)
{
    CUcontext context;
    (void)state;
    assert_ok(cuInit(0));
    assert_ok(cuDevicePrimaryCtxRetain(&context, 0));
    assert_ok(cuCtxSetCurrent(context));
    return 0;
}

static inline int release_primary(void **state)
{
    (void)state;
    assert_ok(cuCtxSetCurrent(NULL));
    assert_ok(cuDevicePrimaryCtxRelease(0));
    return 0;
}

#endif

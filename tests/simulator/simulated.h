/* What the tests of the simulated device share. Most of them hold on a real GPU as well, where on_gpu.py runs them; its
 * numbers are an H200's. */
#ifndef GMT_TESTS_SIMULATED_H
#define GMT_TESTS_SIMULATED_H

#include "support/unit_test.h"

#include <cuda.h>
#include <dlfcn.h>
#include <stdbool.h>

#define KIB 1024ull
#define MIB (1024ull * 1024)
#define GIB (1024ull * 1024 * 1024)

/* Whether this is the simulated device. A real driver may crash where it is given a handle that has ended. */
static inline bool simulated(void)
{
    return dlsym(RTLD_DEFAULT, "gpumemtrace_simulator") != NULL;
}

#define assert_ok(call) assert_int_equal(call, CUDA_SUCCESS)

/* Bytes of the device: 8 GiB in these tests where it is simulated. */
static inline uint64_t total_bytes(void)
{
    size_t total = 0;
    assert_ok(cuDeviceTotalMem(&total, 0));
    if (simulated())
        assert_int_equal(total, 8589934592ull);
    return total;
}

/* Free bytes of the current context's device. */
static inline uint64_t free_bytes(void)
{
    size_t free_now = 0, total = 0;
    assert_ok(cuMemGetInfo(&free_now, &total));
    assert_int_equal(total, total_bytes());
    return free_now;
}

/* What is free when there is the first context and nothing else. */
static inline uint64_t free_at_first(void)
{
    return total_bytes() - 552402944;
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

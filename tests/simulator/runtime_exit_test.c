/* What the runtime and the driver answer while the process exits. */
#include "support/unit_test.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int answers; /* a pipe */
static void *block, *in_main, *after_first_call, *before_first_call;
static cudaStream_t stream;

static void tell(const char *when, int result)
{
    dprintf(answers, "%s %d, %d then. ", when, result, cudaGetLastError());
}

static void tell_driver(const char *when)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    int (*release)(int) = NULL;
    int (*give)(unsigned long long) = NULL;
    *(void **)&release = driver ? dlsym(driver, "cuDevicePrimaryCtxRelease_v2") : NULL;
    *(void **)&give = driver ? dlsym(driver, "cuMemFree_v2") : NULL;
    if (release && give)
        dprintf(answers, "%s the driver: %d, %d. ", when, give((uintptr_t)block), release(0));
}

static void late(void)
{
    tell("late handler", cudaFree(after_first_call));
}

static void early(void)
{
    tell("early handler", cudaFree(before_first_call));
    tell("stream", cudaStreamDestroy(stream));
    tell_driver("to");
}

/* The runtime's own handler is one of those that were there before its first call had ended. */
static void exit_with_memory(void)
{
    atexit(early);
    if (cudaMalloc(&block, 1 << 20) || cudaMalloc(&in_main, 1 << 20) || cudaMalloc(&after_first_call, 1 << 20) ||
        cudaMalloc(&before_first_call, 1 << 20) || cudaStreamCreate(&stream))
        _exit(1);
    atexit(late);
    tell("main", cudaFree(in_main));
    exit(0);
}

static void late_frees_are_refused(void **state)
{
    char told[512] = "";
    int ends[2], status = -1;
    size_t length = 0;
    ssize_t got;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        answers = ends[1];
        exit_with_memory();
    }
    close(ends[1]);
    while ((got = read(ends[0], told + length, sizeof told - 1 - length)) > 0)
        length += (size_t)got;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_string_equal(told, "main 0, 0 then. late handler 0, 0 then. early handler 4, 4 then. stream 4, 4 then. "
                              "to the driver: 4, 4. ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(late_frees_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Failure scripts, callbacks and counters; settings in the environment, tried in fresh processes. */
#include "simulator/simulated.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "simulator/simulator.h"

static const char *self;

/* The next call of a function, counted from the start of the process. */
static unsigned long long next(const char *name)
{
    return gpumemtrace_simulator_calls(name) + 1;
}

static void script(const char *format, unsigned long long n, unsigned long long m)
{
    char text[256];
    snprintf(text, sizeof text, format, n, m);
    assert_int_equal(gpumemtrace_simulator_set_script(text), 0);
}

static void chosen_calls_fail(void **state)
{
    CUdeviceptr block = 0;
    unsigned long long first = next("cuMemAlloc_v2");
    (void)state;
    script("fail cuMemAlloc_v2 %llu 2; fail cuMemAlloc_v2 %llu-3000000 CUDA_ERROR_UNKNOWN", first + 1, first + 3);
    assert_ok(cuMemAlloc(&block, 100));
    assert_ok(cuMemFree(block));
    block = 0;
    assert_int_equal(cuMemAlloc(&block, 100), CUDA_ERROR_OUT_OF_MEMORY);
    assert_int_equal(block, 0);
    assert_ok(cuMemAlloc(&block, 100));
    assert_ok(cuMemFree(block));
    assert_int_equal(cuMemAlloc(&block, 100), CUDA_ERROR_UNKNOWN);
    assert_int_equal(cuMemAlloc(&block, 100), CUDA_ERROR_UNKNOWN);
    assert_int_equal(gpumemtrace_simulator_set_script(NULL), 0);
    assert_ok(cuMemAlloc(&block, 100));
    assert_ok(cuMemFree(block));
    assert_int_equal(gpumemtrace_simulator_calls("cuMemAlloc_v2"), first + 5);
    assert_int_equal(gpumemtrace_simulator_calls("cuNope"), 0);
}

static void every_second_call_fails(void **state)
{
    (void)state;
    script("fail cuCtxSynchronize every 2 999", 0, 0);
    bool even = next("cuCtxSynchronize") % 2 == 0;
    for (int i = 0; i < 6; i++, even = !even)
        assert_int_equal(cuCtxSynchronize(), even ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS);
    assert_int_equal(gpumemtrace_simulator_set_script(NULL), 0);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void chosen_calls_take_longer(void **state)
{
    (void)state;
    script("delay cuCtxSynchronize %llu 50", next("cuCtxSynchronize"), 0);
    double start = seconds();
    assert_ok(cuCtxSynchronize());
    assert_true(seconds() - start >= 0.05);
    assert_int_equal(gpumemtrace_simulator_set_script(NULL), 0);
}

static void *wait_blocked(void *context)
{
    cuCtxSetCurrent(context);
    return (void *)(uintptr_t)cuCtxSynchronize();
}

static void a_call_waits_for_another(void **state)
{
    CUcontext context;
    pthread_t thread;
    CUdevice device;
    void *result;
    (void)state;
    assert_ok(cuCtxGetCurrent(&context));
    script("block cuCtxSynchronize %llu until cuCtxGetDevice %llu", next("cuCtxSynchronize"), next("cuCtxGetDevice"));
    assert_int_equal(pthread_create(&thread, NULL, wait_blocked, context), 0);
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 50000000;
    soon.tv_sec += soon.tv_nsec / 1000000000;
    soon.tv_nsec %= 1000000000;
    assert_int_not_equal(pthread_timedjoin_np(thread, &result, &soon), 0);
    assert_ok(cuCtxGetDevice(&device));
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_null(result);
    assert_int_equal(gpumemtrace_simulator_set_script(NULL), 0);
}

static int refuse_third(const char *name, uint64_t nth, void *first)
{
    assert_string_equal(name, "cuCtxSynchronize");
    return nth == *(uint64_t *)first + 2 ? CUDA_ERROR_LAUNCH_FAILED : -1;
}

static void a_callback_may_stop_a_call(void **state)
{
    uint64_t first = next("cuCtxSynchronize");
    (void)state;
    assert_int_equal(gpumemtrace_simulator_on_call("cuCtxSynchronize", refuse_third, &first), 0);
    assert_ok(cuCtxSynchronize());
    assert_ok(cuCtxSynchronize());
    assert_int_equal(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
    assert_int_equal(gpumemtrace_simulator_on_call("cuCtxSynchronize", NULL, NULL), 0);
    assert_ok(cuCtxSynchronize());
    assert_int_equal(gpumemtrace_simulator_on_call("cuNope", refuse_third, NULL), -1);
}

static void unsupported_calls_are_counted(void **state)
{
    uint64_t before = gpumemtrace_simulator_unsupported_calls();
    (void)state;
    assert_int_equal(cuGraphDebugDotPrint(NULL, "", 0), CUDA_ERROR_NOT_SUPPORTED);
    assert_int_equal(gpumemtrace_simulator_unsupported_calls(), before + 1);
    assert_true(strstr(gpumemtrace_simulator, "simulated") != NULL);
}

static void nonsense_leaves_no_script(void **state)
{
    static const char *const bad[] = {
        "fail",
        "fail cuNope 1 2",
        "fail cuMemAlloc_v2 0 2",
        "fail cuMemAlloc_v2 1",
        "fail cuMemAlloc_v2 1 two",
        "fail cuMemAlloc_v2 3-1 2",
        "fail cuMemAlloc_v2 every 0 2",
        "explode cuMemAlloc_v2 1 2",
        "delay cuMemAlloc_v2 1 long",
        "block cuMemAlloc_v2 1 until cuNope 1",
        "block cuMemAlloc_v2 1 before cuMemFree_v2 1",
        "missing cuMemAlloc_v2 1",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(gpumemtrace_simulator_set_script(bad[i]), -1);
    assert_int_equal(gpumemtrace_simulator_set_script("# a comment; ;\nmissing cuInit\n"), 0);
    assert_int_equal(gpumemtrace_simulator_set_script(NULL), 0);
}

/* In a fresh process: what cuInit says, or the mebibytes of device `argv[2]`. */
static int child(const char *wanted)
{
    size_t bytes = 0;
    CUdevice device;
    CUresult result = cuInit(0);
    if (strcmp(wanted, "init") == 0)
        return (int)result;
    if (result == CUDA_SUCCESS)
        result = cuDeviceGet(&device, atoi(wanted));
    if (result == CUDA_SUCCESS)
        result = cuDeviceTotalMem(&bytes, device);
    return result == CUDA_SUCCESS ? (int)(bytes / (256 * MIB)) : 200;
}

static int run_child(const char *wanted, const char *name, const char *value)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        setenv(name, value, 1);
        freopen("/dev/null", "w", stderr);
        execl(self, self, wanted, (char *)NULL);
        _exit(250);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void settings_come_from_the_environment(void **state)
{
    (void)state;
    assert_int_equal(run_child("0", "GPUMEMTRACE_SIMULATE", ""), 32);
    assert_int_equal(run_child("0", "GPUMEMTRACE_SIMULATE", "1G"), 4);
    assert_int_equal(run_child("0", "GPUMEMTRACE_SIMULATE", "512MiB"), 2);
    assert_int_equal(run_child("0", "GPUMEMTRACE_SIMULATE", "268435456"), 1);
    assert_int_equal(run_child("1", "GPUMEMTRACE_SIMULATE", "1G"), 200);
    assert_int_equal(run_child("2", "GPUMEMTRACE_SIMULATE_DEVICES", "3"), 32);
    assert_int_equal(run_child("init", "GPUMEMTRACE_SIMULATE", "much"), 1);
    assert_int_equal(run_child("init", "GPUMEMTRACE_SIMULATE", "8Gx"), 1);
    assert_int_equal(run_child("init", "GPUMEMTRACE_SIMULATE", "-1"), 1);
    assert_int_equal(run_child("init", "GPUMEMTRACE_SIMULATE", "99999999T"), 1);
    assert_int_equal(run_child("init", "GPUMEMTRACE_SIMULATE_DEVICES", "0"), 1);
    assert_int_equal(run_child("init", "GPUMEMTRACE_SIMULATE_DEVICES", "two"), 1);
    assert_int_equal(run_child("init", "GPUMEMTRACE_SIMULATE_SCRIPT", "fail cuInit 1 100"), 100);
    assert_int_equal(run_child("init", "GPUMEMTRACE_SIMULATE_SCRIPT", "fail"), 1);
    assert_int_equal(run_child("init", "GPUMEMTRACE_SIMULATE_SCRIPT", "@/nonexistent"), 1);
    assert_int_equal(run_child("init", "GPUMEMTRACE_SIMULATE_SCRIPT", "@/dev/null"), 0);
}

#define scripted(test) cmocka_unit_test_setup_teardown(test, use_primary, release_primary)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        scripted(chosen_calls_fail),          scripted(every_second_call_fails),
        scripted(chosen_calls_take_longer),   scripted(a_call_waits_for_another),
        scripted(a_callback_may_stop_a_call), scripted(unsupported_calls_are_counted),
        scripted(nonsense_leaves_no_script),  cmocka_unit_test(settings_come_from_the_environment),
    };
    self = argv[0];
    return argc > 1 ? child(argv[1]) : cmocka_run_group_tests(tests, NULL, NULL);
}

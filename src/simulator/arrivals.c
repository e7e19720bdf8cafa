/* Counts calls, lets scripts and test callbacks stop them, and refuses what the state of the process forbids. */
#include "simulator/arrivals.h"

#include <cuda.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "simulator/call_cost.h"
#include "simulator/capture.h"
#include "simulator/script.h"
#include "simulator/simulator.h"

enum { ENTRIES_MAX = 1024 };

static _Atomic uint64_t calls[ENTRIES_MAX];
static _Atomic uint64_t unsupported_calls;
static _Atomic bool initialised;
static _Atomic bool child_of_initialised;
static _Atomic bool deinitialised;
static _Thread_local bool in_host_function;

struct callback {
    gpumemtrace_simulator_callback *function;
    void *argument;
};
static struct callback callbacks[ENTRIES_MAX];
static _Atomic int callback_count;
static pthread_mutex_t callbacks_lock = PTHREAD_MUTEX_INITIALIZER;

/* Functions that work before cuInit; measured, see README.md. */
static const char *const always_allowed[] = {
    "cuInit",           "cuDriverGetVersion",  "cuGetErrorName",   "cuGetErrorString",
    "cuGetProcAddress", "cuGetProcAddress_v2", "cuGetExportTable",
};
static _Atomic uint8_t allowed[ENTRIES_MAX]; /* 0 not looked at yet, 1 always, 2 after cuInit only */

int gmt_sim_entry_count(void)
{
    return (int)(gmt_sim_entries_end - gmt_sim_entries);
}

static uint16_t by_name[ENTRIES_MAX]; /* rows in the order of their names */

static int compare_rows(const void *left, const void *right)
{
    return strcmp(gmt_sim_entries[*(const uint16_t *)left].name, gmt_sim_entries[*(const uint16_t *)right].name);
}

static int compare_name(const void *name, const void *row)
{
    return strcmp(name, gmt_sim_entries[*(const uint16_t *)row].name);
}

static void sort_rows(void)
{
    for (int i = 0; i < gmt_sim_entry_count(); i++)
        by_name[i] = (uint16_t)i;
    qsort(by_name, (size_t)gmt_sim_entry_count(), sizeof *by_name, compare_rows);
}

int gmt_sim_entry_find(const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, sort_rows);
    const uint16_t *row = bsearch(name, by_name, (size_t)gmt_sim_entry_count(), sizeof *by_name, compare_name);
    return row ? *row : -1;
}

uint64_t gmt_sim_entry_calls(int index)
{
    return atomic_load(&calls[index]);
}

static void in_child(void)
{
    if (atomic_load(&initialised))
        atomic_store(&child_of_initialised, true);
}

static void at_exit(void)
{
    atomic_store(&deinitialised, true);
}

/* The driver goes while the exit handlers run that were there before it was initialised, the runtime's among them. */
static void watch_process(void)
{
    pthread_atfork(NULL, NULL, in_child);
    atexit(at_exit);
}

void gmt_sim_initialised(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_process);
    atomic_store(&initialised, true);
}

bool gmt_sim_is_initialised(void)
{
    return atomic_load(&initialised) && !atomic_load(&child_of_initialised);
}

void gmt_sim_host_function_enter(void)
{
    in_host_function = true;
}

void gmt_sim_host_function_leave(void)
{
    in_host_function = false;
}

static bool works_before_init(uint32_t index)
{
    uint8_t known = atomic_load_explicit(&allowed[index], memory_order_relaxed);
    if (known == 0) {
        known = 2;
        for (size_t i = 0; i < sizeof always_allowed / sizeof *always_allowed; i++) {
            if (strcmp(gmt_sim_entries[index].name, always_allowed[i]) == 0)
                known = 1;
        }
        atomic_store_explicit(&allowed[index], known, memory_order_relaxed);
    }
    return known == 1;
}

static const char *const unsafe_names[] = {
#define GMT_SIM_UNSAFE(name) #name,
#include "simulator/capture_unsafe.def"
#undef GMT_SIM_UNSAFE
};
static bool unsafe[ENTRIES_MAX]; /* by row */

static void mark_unsafe(void)
{
    for (size_t i = 0; i < sizeof unsafe_names / sizeof *unsafe_names; i++) {
        int row = gmt_sim_entry_find(unsafe_names[i]);
        if (row >= 0)
            unsafe[row] = true;
    }
}

static bool unsafe_in_capture(uint32_t index)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, mark_unsafe);
    return unsafe[index];
}

/* Asks the test's callback for this row, if there is one; negative: go on. */
static int ask_callback(uint32_t index, uint64_t nth)
{
    if (atomic_load_explicit(&callback_count, memory_order_acquire) == 0)
        return -1;
    pthread_mutex_lock(&callbacks_lock);
    struct callback callback = callbacks[index];
    pthread_mutex_unlock(&callbacks_lock);
    return callback.function ? callback.function(gmt_sim_entries[index].name, nth, callback.argument) : -1;
}

/* What the state of the process or thread says to this call; negative: go on. */
static int refuse(uint32_t index)
{
    if (works_before_init(index))
        return atomic_load(&child_of_initialised) && strcmp(gmt_sim_entries[index].name, "cuInit") == 0
                   ? CUDA_ERROR_NOT_INITIALIZED
                   : -1;
    if (in_host_function)
        return CUDA_ERROR_NOT_PERMITTED;
    if (!gmt_sim_is_initialised())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (atomic_load(&deinitialised))
        return CUDA_ERROR_DEINITIALIZED;
    if (gmt_sim_captures_any() && unsafe_in_capture(index) && gmt_sim_captures_forbid())
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    return -1;
}

struct gmt_sim_verdict gmt_sim_call_arrived(uint32_t index)
{
    uint64_t nth = atomic_fetch_add(&calls[index], 1) + 1;
    int stop = ask_callback(index, nth);
    if (stop < 0)
        stop = gmt_sim_script_ask((int)index, nth);
    if (stop < 0)
        stop = refuse(index);
    if (stop < 0 && !gmt_sim_cost_begin(gmt_sim_script_cost((int)index)))
        stop = CUDA_ERROR_OUT_OF_MEMORY;
    if (stop >= 0)
        return (struct gmt_sim_verdict){NULL, (uint64_t)stop};
    if (!gmt_sim_entries[index].body) {
        atomic_fetch_add(&unsupported_calls, 1);
        return (struct gmt_sim_verdict){NULL, CUDA_ERROR_NOT_SUPPORTED};
    }
    return (struct gmt_sim_verdict){gmt_sim_entries[index].body, 0};
}

const char gpumemtrace_simulator[] = "gpumemtrace simulated device " GMT_VERSION;

uint64_t gpumemtrace_simulator_unsupported_calls(void)
{
    return atomic_load(&unsupported_calls);
}

uint64_t gpumemtrace_simulator_calls(const char *name)
{
    int index = gmt_sim_entry_find(name);
    return index < 0 ? 0 : gmt_sim_entry_calls(index);
}

int gpumemtrace_simulator_on_call(const char *name, gpumemtrace_simulator_callback *function, void *argument)
{
    int index = gmt_sim_entry_find(name);
    if (index < 0)
        return -1;
    pthread_mutex_lock(&callbacks_lock);
    int change = (function != NULL) - (callbacks[index].function != NULL);
    callbacks[index] = (struct callback){function, argument};
    pthread_mutex_unlock(&callbacks_lock);
    atomic_fetch_add(&callback_count, change);
    return 0;
}

/* Finds the driver, holds the primary contexts, and tries to let them go when the program ends. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "simulator/runtime/runtime.h"

enum { DEVICES_MAX = 64, TWIN_VERSION = 7000 };

struct gmt_rt_driver gmt_rt_legacy, gmt_rt_per_thread;
PFN_cuGetProcAddress_v12000 gmt_rt_get_proc_address;
int (*gmt_rt_declare_variable)(void *library, const char *name, size_t bytes, int managed);

static cudaError_t start_error;
static int device_count;
static _Atomic bool ended;
static _Thread_local int device;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUcontext primary[DEVICES_MAX]; /* NULL: not held */

/* Stands in for a function that the driver lacks. */
static CUresult missing(void)
{
    return CUDA_ERROR_NOT_SUPPORTED;
}

static void *ask(const char *name, int version, cuuint64_t flags)
{
    CUdriverProcAddressQueryResult status;
    void *found = NULL;
    CUresult result = gmt_rt_get_proc_address(name, &found, version, flags, &status);
    return result == CUDA_SUCCESS && found ? found : (void *)missing;
}

/* A twin exists since CUDA 7.0 at the earliest; asked for at an older version it is "too old". */
static void *ask_twin(const char *name, int version)
{
    cuuint64_t flags = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    return ask(name, version > TWIN_VERSION ? version : TWIN_VERSION, flags);
}

static void fill_tables(void)
{
#define GMT_RT_DRIVER(name, version)                                                                                   \
    gmt_rt_legacy.name = (PFN_##name##_v##version)ask(#name, version, 0);                                              \
    gmt_rt_per_thread.name = gmt_rt_legacy.name;
#define GMT_RT_DRIVER_TWIN(name, version)                                                                              \
    gmt_rt_legacy.name = (PFN_##name##_v##version)ask(#name, version, 0);                                              \
    gmt_rt_per_thread.name = (PFN_##name##_v##version)ask_twin(#name, version);
#include "simulator/runtime/driver_functions.def"
#undef GMT_RT_DRIVER
#undef GMT_RT_DRIVER_TWIN
    void *declare = ask("gpumemtrace_simulator_declare_variable", gmt_rt_version, 0);
    if (declare != (void *)missing)
        gmt_rt_declare_variable = (int (*)(void *, const char *, size_t, int))declare;
}

/* The driver, whose exit handler runs before this one, refuses: "deinitialised" (measured). From now on the runtime
 * refuses the program's calls itself. */
static void release_all(void)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < DEVICES_MAX; i++) {
        if (primary[i])
            gmt_rt_legacy.cuDevicePrimaryCtxRelease(i);
        primary[i] = NULL;
    }
    pthread_mutex_unlock(&lock);
    atomic_store(&ended, true);
}

/* One dlsym for one name; everything else through the function it finds, which is first asked for itself. */
static void start_once(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    void *found = driver ? dlsym(driver, "cuGetProcAddress_v2") : NULL;
    if (!found) {
        start_error = cudaErrorInsufficientDriver;
        return;
    }
    gmt_rt_get_proc_address = (PFN_cuGetProcAddress_v12000)found;
    ask("cuGetProcAddress", 11030, 0);
    void *own = ask("cuGetProcAddress", 12000, 0);
    if (own != (void *)missing)
        gmt_rt_get_proc_address = (PFN_cuGetProcAddress_v12000)own;
    fill_tables();
    atexit(release_all);
    start_error = gmt_rt_error(gmt_rt_legacy.cuInit(0));
    if (start_error == cudaSuccess)
        start_error = gmt_rt_error(gmt_rt_legacy.cuDeviceGetCount(&device_count));
}

cudaError_t gmt_rt_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_once);
    return atomic_load(&ended) ? cudaErrorCudartUnloading : start_error;
}

/* Makes the primary context of the thread's device current; retains it when this runtime does not hold it. */
static cudaError_t use_primary(void)
{
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    if (!primary[device])
        result = gmt_rt_legacy.cuDevicePrimaryCtxRetain(&primary[device], device);
    CUcontext context = primary[device];
    pthread_mutex_unlock(&lock);
    if (result == CUDA_SUCCESS)
        result = gmt_rt_legacy.cuCtxSetCurrent(context);
    return gmt_rt_error(result);
}

cudaError_t gmt_rt_begin(void)
{
    CUcontext current = NULL;
    cudaError_t error = gmt_rt_start();
    if (error != cudaSuccess)
        return error;
    error = gmt_rt_error(gmt_rt_legacy.cuCtxGetCurrent(&current));
    if (error != cudaSuccess)
        return error;
    /* A primary context that was reset stays current on its threads; holding it again revives it. */
    unsigned int flags;
    int active = 1;
    if (current && !primary[device])
        gmt_rt_legacy.cuDevicePrimaryCtxGetState(device, &flags, &active);
    if (current && active)
        return cudaSuccess;
    return use_primary();
}

int gmt_rt_device_count(void)
{
    return device_count;
}

cudaError_t gmt_rt_device(int *device_out)
{
    CUdevice current;
    CUresult result = gmt_rt_legacy.cuCtxGetDevice(&current);
    *device_out = result == CUDA_SUCCESS ? current : device;
    return result == CUDA_ERROR_NOT_PERMITTED ? gmt_rt_error(result) : cudaSuccess;
}

cudaError_t gmt_rt_device_set(int wanted)
{
    cudaError_t error = gmt_rt_start();
    if (error != cudaSuccess)
        return error;
    if (wanted < 0 || wanted >= device_count || wanted >= DEVICES_MAX)
        return cudaErrorInvalidDevice;
    device = wanted;
    return use_primary();
}

cudaError_t gmt_rt_device_reset(void)
{
    cudaError_t error = gmt_rt_start();
    if (error != cudaSuccess)
        return error;
    pthread_mutex_lock(&lock);
    error = gmt_rt_error(gmt_rt_legacy.cuDevicePrimaryCtxReset(device));
    /* A reset leaves the references; the real runtime's is gone afterwards as well (measured). */
    if (primary[device])
        gmt_rt_legacy.cuDevicePrimaryCtxRelease(device);
    primary[device] = NULL;
    pthread_mutex_unlock(&lock);
    return error;
}

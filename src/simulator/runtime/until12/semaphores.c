/* Signals and waits with the structures of CUDA 10, which have nothing reserved: one semaphore at a time. */
#include "simulator/runtime/until12/old_name.h"

struct signal {
    unsigned long long fence, sync, key;
    unsigned int flags;
};

struct wait {
    unsigned long long fence, sync, key;
    unsigned int milliseconds, padding;
    unsigned int flags;
};

_Static_assert(sizeof(struct signal) == 32 && sizeof(struct wait) == 40, "as cudaExternalSemaphore…Params_v1");

static cudaError_t cudaSignalExternalSemaphoresAsync_with(const struct gmt_rt_driver *driver,
                                                          const cudaExternalSemaphore_t *semaphores,
                                                          const struct signal *signals, unsigned int count,
                                                          cudaStream_t stream)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && count > 0 && (!semaphores || !signals))
        error = cudaErrorInvalidValue;
    for (unsigned int i = 0; i < count && error == cudaSuccess; i++) {
        CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS wanted = {.flags = signals[i].flags};
        CUexternalSemaphore semaphore = (CUexternalSemaphore)semaphores[i];
        wanted.params.fence.value = signals[i].fence;
        wanted.params.keyedMutex.key = signals[i].key;
        error = gmt_rt_error(driver->cuSignalExternalSemaphoresAsync(&semaphore, &wanted, 1, stream));
    }
    return gmt_rt_end(error);
}
GMT_RT_OLD_PAIR(cudaSignalExternalSemaphoresAsync, cudaSignalExternalSemaphoresAsync_ptsz,
                (const cudaExternalSemaphore_t *semaphores, const struct signal *signals, unsigned int count,
                 cudaStream_t stream),
                semaphores, signals, count, stream)

static cudaError_t cudaWaitExternalSemaphoresAsync_with(const struct gmt_rt_driver *driver,
                                                        const cudaExternalSemaphore_t *semaphores,
                                                        const struct wait *waits, unsigned int count,
                                                        cudaStream_t stream)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && count > 0 && (!semaphores || !waits))
        error = cudaErrorInvalidValue;
    for (unsigned int i = 0; i < count && error == cudaSuccess; i++) {
        CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS wanted = {.flags = waits[i].flags};
        CUexternalSemaphore semaphore = (CUexternalSemaphore)semaphores[i];
        wanted.params.fence.value = waits[i].fence;
        wanted.params.keyedMutex.key = waits[i].key;
        wanted.params.keyedMutex.timeoutMs = waits[i].milliseconds;
        error = gmt_rt_error(driver->cuWaitExternalSemaphoresAsync(&semaphore, &wanted, 1, stream));
    }
    return gmt_rt_end(error);
}
GMT_RT_OLD_PAIR(cudaWaitExternalSemaphoresAsync, cudaWaitExternalSemaphoresAsync_ptsz,
                (const cudaExternalSemaphore_t *semaphores, const struct wait *waits, unsigned int count,
                 cudaStream_t stream),
                semaphores, waits, count, stream)

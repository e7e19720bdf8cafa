/* Signals and waits of semaphores of other APIs. What describes them is laid out alike in driver and runtime. */
#include "simulator/runtime/runtime.h"

#define SAME(type, driver_type) _Static_assert(sizeof(type) == sizeof(driver_type), "laid out alike")
SAME(struct cudaExternalSemaphoreSignalParams, CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS);
SAME(struct cudaExternalSemaphoreWaitParams, CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS);

/* Signalling and waiting differ in their names only. */
#define ON_ALL(name, driver_name, parameter_type)                                                                      \
    static cudaError_t name##_with(const struct gmt_rt_driver *driver, const cudaExternalSemaphore_t *handles,         \
                                   const void *parameters, unsigned int count, cudaStream_t stream)                    \
    {                                                                                                                  \
        const CUexternalSemaphore *semaphores = (const CUexternalSemaphore *)handles;                                  \
        return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(driver->driver_name(semaphores, parameters, count, stream))); \
    }                                                                                                                  \
    GMT_RT_PAIR(name, name##_ptsz,                                                                                     \
                (const cudaExternalSemaphore_t *handles, const struct parameter_type *parameters, unsigned int count,  \
                 cudaStream_t stream),                                                                                 \
                handles, parameters, count, stream)

ON_ALL(cudaSignalExternalSemaphoresAsync, cuSignalExternalSemaphoresAsync, cudaExternalSemaphoreSignalParams)
ON_ALL(cudaWaitExternalSemaphoresAsync, cuWaitExternalSemaphoresAsync, cudaExternalSemaphoreWaitParams)

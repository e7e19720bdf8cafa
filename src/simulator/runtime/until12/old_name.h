/* Functions with a prototype that the header of 13 does not have any more: the exported name is given to another one,
 * so that both can be spoken of.
 *
 *   GMT_RT_OLD(cudaMemAdvise, (parameters)) { ... }
 *   GMT_RT_OLD_FORWARD(cudaX, cuX, (parameters), arguments of cuX...)
 *   GMT_RT_OLD_PAIR(cudaX, cudaX_ptsz, (parameters), arguments...)       both call cudaX_with(driver, arguments...)
 */
#ifndef GMT_SIMULATOR_RUNTIME_OLD_NAME_H
#define GMT_SIMULATOR_RUNTIME_OLD_NAME_H

#include "simulator/runtime/forward.h"

#define GMT_RT_OLD(name, parameters)                                                                                   \
    GMT_RT_API gmt_rt_old_##name parameters __asm__(#name);                                                            \
    GMT_RT_API gmt_rt_old_##name parameters

#define GMT_RT_OLD_FORWARD(name, driver_name, parameters, ...)                                                         \
    GMT_RT_OLD(name, parameters)                                                                                       \
    {                                                                                                                  \
        cudaError_t error = gmt_rt_begin();                                                                            \
        if (error == cudaSuccess)                                                                                      \
            error = gmt_rt_error(gmt_rt_legacy.driver_name(__VA_ARGS__));                                              \
        return gmt_rt_end(error);                                                                                      \
    }

#define GMT_RT_OLD_PAIR(name, twin, parameters, ...)                                                                   \
    GMT_RT_OLD(name, parameters)                                                                                       \
    {                                                                                                                  \
        return name##_with(&gmt_rt_legacy, __VA_ARGS__);                                                               \
    }                                                                                                                  \
    GMT_RT_OLD(twin, parameters)                                                                                       \
    {                                                                                                                  \
        return name##_with(&gmt_rt_per_thread, __VA_ARGS__);                                                           \
    }

#endif

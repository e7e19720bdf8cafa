/* Functions of the runtime that begin, ask one function of the driver, and end.
 */
#ifndef GMT_SIMULATOR_RUNTIME_FORWARD_H
#define GMT_SIMULATOR_RUNTIME_FORWARD_H

#include "simulator/runtime/runtime.h"

/* GMT_RT_FORWARD(cudaX, cuX, (parameters), arguments of cuX...) */
#define GMT_RT_FORWARD(name, driver_name, parameters, ...)                                                             \
    GMT_RT_API name parameters                                                                                         \
    {                                                                                                                  \
        cudaError_t error = gmt_rt_begin();                                                                            \
        if (error == cudaSuccess)                                                                                      \
            error = gmt_rt_error(gmt_rt_legacy.driver_name(__VA_ARGS__));                                              \
        return gmt_rt_end(error);                                                                                      \
    }

/* The same for a function with a per-thread twin: GMT_RT_PAIR follows. */
#define GMT_RT_FORWARD_WITH(name, driver_name, parameters, ...)                                                        \
    static cudaError_t name##_with(const struct gmt_rt_driver *driver, GMT_RT_STRIP parameters)                        \
    {                                                                                                                  \
        cudaError_t error = gmt_rt_begin();                                                                            \
        if (error == cudaSuccess)                                                                                      \
            error = gmt_rt_error(driver->driver_name(__VA_ARGS__));                                                    \
        return gmt_rt_end(error);                                                                                      \
    }
#define GMT_RT_STRIP(...) __VA_ARGS__

#endif

/* Driver functions handed out, with the reason where there is none. */
#include "simulator/runtime/runtime.h"

#define ENTRY_POINT(name, per_thread)                                                                                  \
    GMT_RT_API name(const char *symbol, void **function, unsigned long long flags,                                     \
                    enum cudaDriverEntryPointQueryResult *status)                                                      \
    {                                                                                                                  \
        return gmt_rt_end(gmt_rt_look_up(symbol, function, (unsigned int)gmt_rt_version, flags, per_thread, status));  \
    }
ENTRY_POINT(cudaGetDriverEntryPoint, false)
ENTRY_POINT(cudaGetDriverEntryPoint_ptsz, true)

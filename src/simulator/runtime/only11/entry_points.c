/* Driver functions handed out, without the reason where there is none. */
#include "simulator/runtime/until12/old_name.h"

#define ENTRY_POINT(name, per_thread)                                                                                  \
    GMT_RT_OLD(name, (const char *symbol, void **function, unsigned long long flags))                                  \
    {                                                                                                                  \
        return gmt_rt_end(gmt_rt_look_up(symbol, function, (unsigned int)gmt_rt_version, flags, per_thread, NULL));    \
    }
ENTRY_POINT(cudaGetDriverEntryPoint, false)
ENTRY_POINT(cudaGetDriverEntryPoint_ptsz, true)

/* Which version this is; the build says so. */
#include "simulator/runtime/runtime.h"

const int gmt_rt_version = GMT_RT_VERSION;

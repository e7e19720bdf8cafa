/* A number that changes whenever code may have been unloaded: a program counter means the same only within one epoch.
 */
#ifndef GMT_BASE_CODE_EPOCH_H
#define GMT_BASE_CODE_EPOCH_H

#include <stdint.h>

extern uint32_t gmt_code_epoch_value __attribute__((visibility("hidden")));

static inline uint32_t gmt_code_epoch(void)
{
    return __atomic_load_n(&gmt_code_epoch_value, __ATOMIC_ACQUIRE);
}

static inline void gmt_code_epoch_advance(void)
{
    __atomic_fetch_add(&gmt_code_epoch_value, 1, __ATOMIC_ACQ_REL);
}

#endif

/* Picks the registers of this processor. */
#ifndef GMT_BASE_REGISTERS_H
#define GMT_BASE_REGISTERS_H

#if defined(__x86_64__)
#include "base/arch/registers_x86_64.h"
#elif defined(__aarch64__)
#include "base/arch/registers_aarch64.h"
#endif

#endif

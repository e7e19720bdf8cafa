/* The rule for a program counter, from a cache without locks. */
#ifndef GMT_BASE_UNWIND_RULE_H
#define GMT_BASE_UNWIND_RULE_H

#include <stdint.h>

#include "base/cfi.h"

/* The rule at `pc`, valid in code epoch `epoch`. A hit takes a few loads and no lock; a miss goes through
 * dl_iterate_phdr once. Thread-safe and safe in signal handlers. */
struct gmt_rule gmt_unwind_rule(uintptr_t pc, uint32_t epoch);

#endif

/* Every function of the real library without a body of its own: answers "not supported" and is counted. No CUDA header
 * is included, because nothing here has its real prototype; a definition elsewhere takes the place of the weak one.
 */
#include <stdatomic.h>
#include <stdint.h>

enum { NOT_SUPPORTED = 801 };

static _Atomic uint64_t calls;

__attribute__((visibility("default"))) uint64_t gpumemtrace_simulator_runtime_unsupported_calls(void);

uint64_t gpumemtrace_simulator_runtime_unsupported_calls(void)
{
    return atomic_load(&calls);
}

#define GMT_RT(name, in_11, in_12, in_13)                                                                              \
    int name(void);                                                                                                    \
    __attribute__((weak, visibility("default"))) int name(void)                                                        \
    {                                                                                                                  \
        atomic_fetch_add(&calls, 1);                                                                                   \
        return NOT_SUPPORTED;                                                                                          \
    }
#include "simulator/runtime/runtime_symbols.def"

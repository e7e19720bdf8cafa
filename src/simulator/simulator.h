/* What the simulated driver (libcuda.so.1) exports beside CUDA: for tests and for telling it from a GPU. Nothing here
 * is declared by the driver of a real GPU, so look the names up with dlsym, or link the simulated library.
 */
#ifndef GMT_SIMULATOR_SIMULATOR_H
#define GMT_SIMULATOR_SIMULATOR_H

#include <stddef.h>
#include <stdint.h>

#define GMT_SIM_EXPORT __attribute__((visibility("default")))

/* Present in the simulated driver only; a line of text that names it. */
extern GMT_SIM_EXPORT const char gpumemtrace_simulator[];

/* Calls, in this process, of functions that answered "not supported" because they have no body. Thread-safe. */
GMT_SIM_EXPORT uint64_t gpumemtrace_simulator_unsupported_calls(void);

/* Calls of the driver function `name` (exported name, cuMemAlloc_v2) that have arrived; 0 for an unknown name.
 * Thread-safe. */
GMT_SIM_EXPORT uint64_t gpumemtrace_simulator_calls(const char *name);

/* Runs inside the `nth` call (from 1) of `name`, on the caller's thread, before it does anything, no lock held. A
 * result >= 0 becomes the call's result and the call does nothing; negative: the call goes on. It may call the driver.
 */
typedef int gpumemtrace_simulator_callback(const char *name, uint64_t nth, void *argument);

/* Sets the callback of one driver function, or removes it (NULL). 0, or -1 for an unknown name. Thread-safe. */
GMT_SIM_EXPORT int gpumemtrace_simulator_on_call(const char *name, gpumemtrace_simulator_callback *function,
                                                 void *argument);

/* Replaces the failure script (README.md) of this process; NULL ends it. Calls are counted from the start of the
 * process, not from here. 0, or -1 with a sentence on standard error for a malformed one, which leaves no script. Not
 * while other threads call. */
GMT_SIM_EXPORT int gpumemtrace_simulator_set_script(const char *text);

/* Bytes of the device's memory that are in use, as 'total - free' of cuMemGetInfo; 0 for an unknown device.
 * Thread-safe. */
GMT_SIM_EXPORT uint64_t gpumemtrace_simulator_used_bytes(int device);

/* Tells a library handle (CUlibrary) about a variable of its image, which the runtime knows from its registration. The
 * runtime asks cuGetProcAddress for this name. 0 or a driver error. Thread-safe. */
GMT_SIM_EXPORT int gpumemtrace_simulator_declare_variable(void *library, const char *name, size_t bytes, int managed);

#endif

/* What the files of the tests' own driver share: fake_driver.c (memory and facts), fake_contexts.c and fake_look_up.c.
 * None of it is seen from outside of the driver. */
#ifndef GMT_TESTS_FAKE_DRIVER_H
#define GMT_TESTS_FAKE_DRIVER_H

#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>

#define FAKE_CONTEXTS 64 /* at a time; number 0 is the device's primary context */

#pragma GCC visibility push(hidden)

/* One lock for everything. */
void fake_lock(void);
void fake_unlock(void);

int fake_is_initialised(void);

/* Number of the caller's current context, or -1 when it has none that works. */
int fake_context_now(void);

/* Gives back what the context holds. Lock held. */
void fake_end_blocks(int context);

#pragma GCC visibility pop

#endif

/* A mutex for the tracer's own data. It knows its owner and never waits for ever: a signal handler that interrupts the
 * holder, or a holder that was stopped, costs an event and not the program.
 *
 * Every lock is a leaf: while one is held there is no call into the driver, the loader, malloc or the unwinder. */
#ifndef GMT_BASE_LOCK_H
#define GMT_BASE_LOCK_H

#include <stdint.h>

struct gmt_lock {
    uint32_t word; /* 0 free, else the holder's kernel thread id; bit 31 says that somebody waits */
};

/* Takes the lock. 0, -GMT_E_REENTERED when this thread holds it, -GMT_E_TIMEOUT when it did not change hands for a
 * second. */
int gmt_lock_take(struct gmt_lock *lock);

void gmt_lock_give(struct gmt_lock *lock);

/* Makes a lock that a vanished thread may hold usable again; only in a fork child, which has one thread. */
void gmt_lock_reset(struct gmt_lock *lock);

#endif

/* The three-state futex mutex (Drepper, "Futexes are tricky", mutex 2) with an owner and a bounded wait. */
#include "base/lock.h"

#include "base/clock.h"
#include "base/errors.h"
#include "base/syscall.h"
#include "base/thread.h"

#include <linux/futex.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#define SPINS 64
#define SLICE_NS 100000000
#define WAIT_NS 1000000000ull

static inline void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("yield");
#endif
}

static bool try_take(struct gmt_lock *lock)
{
    uint32_t expected = 0;
    return __atomic_compare_exchange_n(&lock->word, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static int wait_for(struct gmt_lock *lock)
{
    for (int i = 0; i < SPINS; i++) {
        if (__atomic_load_n(&lock->word, __ATOMIC_RELAXED) == 0 && try_take(lock))
            return 0;
        pause_briefly();
    }
    /* One wait counts as one slice at most: while the whole process is stopped (SIGSTOP, a debugger, a frozen
     * container) the clock goes on, and the holder cannot. */
    uint64_t waited = 0;
    uint64_t last = gmt_clock_now();
    while (__atomic_exchange_n(&lock->word, 2, __ATOMIC_ACQUIRE) != 0) {
        struct timespec slice = {.tv_nsec = SLICE_NS};
        gmt_syscall(SYS_futex, &lock->word, FUTEX_WAIT_PRIVATE, 2, &slice, NULL, 0);
        uint64_t now = gmt_clock_now();
        waited += now - last < SLICE_NS ? now - last : SLICE_NS;
        last = now;
        if (waited >= WAIT_NS)
            return -GMT_E_TIMEOUT;
    }
    return 0;
}

int gmt_lock_take(struct gmt_lock *lock)
{
    uintptr_t self = (uintptr_t)&gmt_thread_self;
    if (!try_take(lock)) {
        if (__atomic_load_n(&lock->owner, __ATOMIC_RELAXED) == self)
            return -GMT_E_REENTERED;
        int failed = wait_for(lock);
        if (failed)
            return failed;
    }
    __atomic_store_n(&lock->owner, self, __ATOMIC_RELAXED);
    return 0;
}

void gmt_lock_give(struct gmt_lock *lock)
{
    __atomic_store_n(&lock->owner, 0, __ATOMIC_RELAXED);
    if (__atomic_exchange_n(&lock->word, 0, __ATOMIC_RELEASE) == 2)
        gmt_syscall(SYS_futex, &lock->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void gmt_lock_reset(struct gmt_lock *lock)
{
    lock->owner = 0;
    __atomic_store_n(&lock->word, 0, __ATOMIC_RELEASE);
}

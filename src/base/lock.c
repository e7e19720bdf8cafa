/* A futex mutex whose word is its owner, as the kernel's own priority-inheriting ones have it (futex(2)): taking it and
 * saying whose it is are one store, so that a signal handler always sees whether it interrupted the holder. */
#include "base/lock.h"

#include "base/clock.h"
#include "base/errors.h"
#include "base/syscall.h"
#include "base/thread.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#define WAITERS 0x80000000u
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

static bool try_take(struct gmt_lock *lock, uint32_t as)
{
    uint32_t expected = 0;
    return __atomic_compare_exchange_n(&lock->word, &expected, as, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Sleeps until the lock changes hands, at most a slice, and adds to `*idle_ns` the time without a change. Only that
 * counts against the holder: under heavy load a thread may wait long for a lock that is fine. While the whole process
 * is stopped (SIGSTOP, a debugger, a frozen container) the clock goes on and the holder cannot: that counts as one
 * slice. */
static void sleep_a_slice(struct gmt_lock *lock, uint32_t seen, uint64_t *idle_ns)
{
    struct timespec slice = {.tv_nsec = SLICE_NS};
    uint64_t started = gmt_clock_now();
    long result = gmt_syscall(SYS_futex, &lock->word, FUTEX_WAIT_PRIVATE, seen, &slice, NULL, 0);
    uint64_t slept = gmt_clock_now() - started;
    if (result == 0 || result == -EAGAIN)
        *idle_ns = 0;
    else
        *idle_ns += slept < SLICE_NS ? slept : SLICE_NS;
}

static int wait_for(struct gmt_lock *lock, uint32_t self)
{
    for (int i = 0; i < SPINS; i++) {
        if (__atomic_load_n(&lock->word, __ATOMIC_RELAXED) == 0 && try_take(lock, self))
            return 0;
        pause_briefly();
    }
    uint64_t idle_ns = 0;
    while (idle_ns < WAIT_NS) {
        uint32_t seen = __atomic_load_n(&lock->word, __ATOMIC_RELAXED);
        if (seen == 0) {
            /* Others may wait as well, and this thread cannot know: it takes the lock as one that somebody waits for.
             */
            if (try_take(lock, self | WAITERS))
                return 0;
            continue;
        }
        if (!(seen & WAITERS) &&
            !__atomic_compare_exchange_n(&lock->word, &seen, seen | WAITERS, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            continue;
        sleep_a_slice(lock, seen | WAITERS, &idle_ns);
    }
    return -GMT_E_TIMEOUT;
}

int gmt_lock_take(struct gmt_lock *lock)
{
    uint32_t self = gmt_thread_id();
    if (try_take(lock, self))
        return 0;
    if ((__atomic_load_n(&lock->word, __ATOMIC_RELAXED) & ~WAITERS) == self)
        return -GMT_E_REENTERED;
    return wait_for(lock, self);
}

void gmt_lock_give(struct gmt_lock *lock)
{
    if (__atomic_exchange_n(&lock->word, 0, __ATOMIC_RELEASE) & WAITERS)
        gmt_syscall(SYS_futex, &lock->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void gmt_lock_reset(struct gmt_lock *lock)
{
    __atomic_store_n(&lock->word, 0, __ATOMIC_RELEASE);
}

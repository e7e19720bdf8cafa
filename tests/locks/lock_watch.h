/* "No foreign call under a lock", as a check. A copy of the library (lock_watch.c) knows which of its locks the calling
 * thread holds; whoever must not be called meanwhile asks here. With the ordinary library, or none, nothing is held. */
#ifndef GMT_TESTS_LOCK_WATCH_H
#define GMT_TESTS_LOCK_WATCH_H

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A leaf is held over nothing; the locks of the start (hook/process.c) over system calls and dl_iterate_phdr. */
enum { LOCK_WATCH_LEAF = 1, LOCK_WATCH_START = 2, LOCK_WATCH_ANY = 3 };

/* The kinds of lock that the calling thread holds. */
unsigned gpumemtrace_locks_held(void) __attribute__((weak, visibility("default")));

/* Ends the process when `what` was called by a thread that holds a lock of one of these kinds. */
static inline void lock_watch_expect_none(const char *what, unsigned kinds)
{
    static const char accusation[] = " was called under a lock of the tracer\n";
    if (!gpumemtrace_locks_held || !(gpumemtrace_locks_held() & kinds))
        return;
    syscall(SYS_write, 2, what, strlen(what));
    syscall(SYS_write, 2, accusation, sizeof accusation - 1);
    abort();
}

#endif

/* A preload in front of the watched library: what libc functions may not be reached under one of its locks, by whatever
 * way, ends the process there. System calls that the library makes by itself do not come through here. */
#include "lock_watch.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

#pragma GCC visibility push(default)

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void __libc_free(void *memory);

/* Every function that was built with -finstrument-functions begins with a call of this: those of the tests' drivers,
 * and in the watched library those of the unwinder. */
void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)function;
    (void)caller;
    lock_watch_expect_none("the driver or the unwinder", LOCK_WATCH_ANY);
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function;
    (void)caller;
}

void *malloc(size_t bytes)
{
    lock_watch_expect_none("malloc", LOCK_WATCH_ANY);
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    lock_watch_expect_none("calloc", LOCK_WATCH_ANY);
    return __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    lock_watch_expect_none("realloc", LOCK_WATCH_ANY);
    return __libc_realloc(memory, bytes);
}

void free(void *memory)
{
    lock_watch_expect_none("free", LOCK_WATCH_ANY);
    __libc_free(memory);
}

/* The next definition is looked for at the start, because dlsym waits for the loader's lock. */
#define TRAP(kinds, result, name, parameters, arguments)                                                               \
    static result(*next_##name) parameters;                                                                            \
    __attribute__((constructor)) static void find_##name(void)                                                         \
    {                                                                                                                  \
        next_##name = (result(*) parameters)dlsym(RTLD_NEXT, #name);                                                   \
    }                                                                                                                  \
    result name parameters                                                                                             \
    {                                                                                                                  \
        lock_watch_expect_none(#name, kinds);                                                                          \
        if (!next_##name)                                                                                              \
            find_##name();                                                                                             \
        return next_##name arguments;                                                                                  \
    }
typedef int visit_fn(struct dl_phdr_info *, size_t, void *);
typedef void *thread_fn(void *);

/* The loader. */
TRAP(LOCK_WATCH_LEAF, int, dl_iterate_phdr, (visit_fn * visit, void *argument), (visit, argument))
TRAP(LOCK_WATCH_ANY, int, dladdr, (const void *address, Dl_info *info), (address, info))
TRAP(LOCK_WATCH_ANY, void *, dlopen, (const char *name, int flags), (name, flags))

/* Threads. */
TRAP(LOCK_WATCH_ANY, int, pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex))
TRAP(LOCK_WATCH_ANY, int, pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
TRAP(LOCK_WATCH_ANY, int, pthread_mutex_unlock, (pthread_mutex_t * mutex), (mutex))
TRAP(LOCK_WATCH_ANY, int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock))
TRAP(LOCK_WATCH_ANY, int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
TRAP(LOCK_WATCH_ANY, int, pthread_once, (pthread_once_t * once, void (*run)(void)), (once, run))
TRAP(LOCK_WATCH_ANY, void *, pthread_getspecific, (pthread_key_t key), (key))
TRAP(LOCK_WATCH_ANY, int, pthread_create, (pthread_t * made, const pthread_attr_t *how, thread_fn *run, void *argument),
     (made, how, run, argument))

/* Files, memory and the environment: another preload may wrap these. */
TRAP(LOCK_WATCH_ANY, int, open64, (const char *path, int flags, mode_t mode), (path, flags, mode))
TRAP(LOCK_WATCH_ANY, int, close, (int file), (file))
TRAP(LOCK_WATCH_ANY, ssize_t, read, (int file, void *data, size_t bytes), (file, data, bytes))
TRAP(LOCK_WATCH_ANY, ssize_t, write, (int file, const void *data, size_t bytes), (file, data, bytes))
TRAP(LOCK_WATCH_ANY, int, fflush, (FILE * stream), (stream))
TRAP(LOCK_WATCH_ANY, void *, mmap, (void *at, size_t bytes, int prot, int flags, int file, off_t from),
     (at, bytes, prot, flags, file, from))
TRAP(LOCK_WATCH_ANY, int, munmap, (void *at, size_t bytes), (at, bytes))
TRAP(LOCK_WATCH_ANY, char *, getenv, (const char *name), (name))

/* A program that wraps libc itself: each wrapper finds its original at its first call. It also counts what the driver
 * calls made meanwhile, which is none of ours: the tracer must not come through here. */
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "program.h"

static unsigned counting;
static unsigned seen;

#define WRAP(result, name, parameters, arguments)                                                                      \
    result name parameters                                                                                             \
    {                                                                                                                  \
        static result(*next) parameters;                                                                               \
        if (!next)                                                                                                     \
            next = (result(*) parameters)dlsym(RTLD_NEXT, #name);                                                      \
        seen += counting;                                                                                              \
        return next arguments;                                                                                         \
    }

WRAP(int, open64, (const char *path, int flags, mode_t mode), (path, flags, mode))
WRAP(int, close, (int file), (file))
WRAP(ssize_t, read, (int file, void *data, size_t bytes), (file, data, bytes))
WRAP(ssize_t, write, (int file, const void *data, size_t bytes), (file, data, bytes))
WRAP(void *, mmap, (void *at, size_t bytes, int p, int f, int file, off_t from), (at, bytes, p, f, file, from))
WRAP(int, munmap, (void *at, size_t bytes), (at, bytes))
WRAP(char *, getenv, (const char *name), (name))
WRAP(void *, malloc, (size_t bytes), (bytes))
WRAP(int, pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
WRAP(int, sigprocmask, (int how, const void *set, void *old), (how, set, old))

int main(void)
{
    CUdeviceptr kept, freed;
    counting = 1;
    use_device();
    CU(cuMemAlloc(&kept, 3000));
    CU(cuMemAlloc(&freed, 500));
    CU(cuMemFree(freed));
    counting = 0;
    printf("%u calls of libc\n", seen);
    return 0;
}

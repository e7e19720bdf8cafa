/* calls_every_row null|zeros: calls each followed function with nothing but null, or with pointers to zeroed memory in
 * every place, and prints what it returns or which signal it dies of. Each call has a process of its own. */
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS 5

/* As many words as the longest of them takes; those in registers and on the stack that a function does not know of cost
 * nothing. */
#define WORDS(w) (w, w, w, w, w, w, w, w, w, w, w, w)
typedef CUresult any_fn WORDS(uintptr_t);

static const struct {
    const char *name;
    any_fn *function;
} rows[] = {
#define GMT_ENTRY(library, name, result, parameters, arguments, rule) {#name, (any_fn *)(void *)name},
#include "hook/entry_points.def"
#undef GMT_ENTRY
};

/* Zeroed memory at one place in every run: its address is also what sizes and flags are. */
#define ZEROS ((void *)0x2000010000)
#define ZEROS_BYTES (1 << 16)

static uintptr_t map_zeros(void)
{
    void *zeros =
        mmap(ZEROS, ZEROS_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (zeros != ZEROS)
        exit(2);
    return (uintptr_t)zeros;
}

static CUresult call(any_fn *function, uintptr_t w)
{
    CUcontext context;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context))
        return CUDA_ERROR_UNKNOWN;
    return function WORDS(w);
}

static void call_apart(const char *name, any_fn *function, uintptr_t word)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        printf("%s: code %d\n", name, (int)call(function, word));
        _exit(0);
    }
    waitpid(child, &status, 0);
    if (!WIFEXITED(status))
        printf("%s: signal %d\n", name, WTERMSIG(status));
}

int main(int argc, char **argv)
{
    uintptr_t word = argc > 1 && strcmp(argv[1], "zeros") == 0 ? map_zeros() : 0;
    setvbuf(stdout, NULL, _IONBF, 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        call_apart(rows[i].name, rows[i].function, word);
    return 0;
}

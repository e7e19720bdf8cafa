/* A preload that compares the tracer's unwinder with the compiler's, frame by frame, inside any program: at every
 * malloc, and (COMPARE_PROFILE=1) at arbitrary instructions, from a profiling signal. Prints one line to the file named
 * by COMPARE_OUTPUT at exit: "stacks S frames F different D shorter H known K mistaken M". `different` counts stacks
 * with a frame that is not the compiler's; `shorter` those that stopped before the compiler's did; `known` those that
 * the stack cache knew without a walk, `mistaken` those of them that were another stack. With COMPARE_WAIT=1 it begins
 * when the program calls compare_begin(). */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unwind.h>

#include "base/code_epoch.h"
#include "base/stack_cache.h"
#include "base/unwind.h"

#define DEPTH 200

static unsigned long stacks;
static unsigned long frames;
static unsigned long different;
static unsigned long shorter;
static unsigned long known;
static unsigned long mistaken;
static bool waiting;
/* Initial-exec: the first use of another kind of thread-local variable calls malloc, which is where it is used. */
static __thread bool inside __attribute__((tls_model("initial-exec")));

struct reference {
    uintptr_t pcs[DEPTH];
    unsigned depth;
};

static _Unwind_Reason_Code note(struct _Unwind_Context *context, void *argument)
{
    struct reference *reference = argument;
    int exact = 0;
    uintptr_t pc = _Unwind_GetIPInfo(context, &exact);
    if (pc == 0 || reference->depth == DEPTH)
        return _URC_END_OF_STACK;
    reference->pcs[reference->depth++] = exact ? pc : pc - 1;
    return _URC_NO_REASON;
}

static void say(const char *what, const struct gmt_unwound *ours, const struct reference *theirs, unsigned start)
{
    const char *path = getenv("COMPARE_OUTPUT");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%s\n", what);
    for (unsigned i = 0; i < ours->depth || i + start < theirs->depth; i++) {
        uintptr_t a = i < ours->depth ? ours->pcs[i] : 0;
        uintptr_t b = i + start < theirs->depth ? theirs->pcs[i + start] : 0;
        Dl_info info = {0};
        dladdr((void *)(b ? b : a), &info);
        fprintf(file, "  %lx %lx %s+%lx %s\n", a, b, info.dli_fname ? info.dli_fname : "?",
                (b ? b : a) - (uintptr_t)info.dli_fbase, info.dli_sname ? info.dli_sname : "");
    }
    fclose(file);
}

/* Both walks from the same frame: the caller's. */
__attribute__((noinline)) static void compare(void)
{
    struct gmt_registers here = gmt_registers_here();
    struct gmt_unwound ours;
    struct reference theirs = {.depth = 0};
    uint32_t epoch = gmt_code_epoch();
    uint32_t number;
    bool found = gmt_stack_cache_find(&here, DEPTH, epoch, &number);
    gmt_unwind(&here, DEPTH, epoch, &ours);
    if (!found)
        gmt_stack_cache_add(&here, DEPTH, epoch, (uint32_t)ours.hash);
    else if (number != (uint32_t)ours.hash)
        __atomic_fetch_add(&mistaken, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&known, found, __ATOMIC_RELAXED);
    _Unwind_Backtrace(note, &theirs);
    unsigned start = 0; /* the compiler's begins in this function */
    while (start < theirs.depth && ours.depth > 0 && theirs.pcs[start] != ours.pcs[0])
        start++;
    unsigned count = theirs.depth - start;
    bool equal = true;
    for (unsigned i = 0; i < count && i < ours.depth; i++)
        equal &= ours.pcs[i] == theirs.pcs[start + i];
    __atomic_fetch_add(&stacks, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&frames, count, __ATOMIC_RELAXED);
    bool reported = false;
    if (!equal || count == 0)
        reported = __atomic_fetch_add(&different, 1, __ATOMIC_RELAXED) < 3;
    else if (ours.depth < count && count < DEPTH)
        reported = __atomic_fetch_add(&shorter, 1, __ATOMIC_RELAXED) < 3;
    if (reported)
        say(equal ? "shorter" : "different", &ours, &theirs, start);
}

__attribute__((visibility("default"))) void *malloc(size_t bytes)
{
    static void *(*real)(size_t);
    if (!real)
        real = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    if (!inside && !__atomic_load_n(&waiting, __ATOMIC_RELAXED)) {
        inside = true;
        compare();
        inside = false;
    }
    return real(bytes);
}

/* As the tracer does: rules are those of code that is loaded now. */
__attribute__((visibility("default"))) int dlclose(void *handle)
{
    static int (*real)(void *);
    if (!real)
        real = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");
    gmt_code_epoch_advance();
    int result = real(handle);
    gmt_code_epoch_advance();
    return result;
}

static void on_profile(int number)
{
    (void)number;
    if (inside || __atomic_load_n(&waiting, __ATOMIC_RELAXED))
        return;
    inside = true;
    compare();
    inside = false;
}

/* A fault inside one of the walks: says whose, by the stack where it happened. */
static void on_fault(int number, siginfo_t *info, void *context)
{
    const ucontext_t *at = context;
    struct gmt_unwound ours;
    struct reference none = {.depth = 0};
#if defined(__x86_64__)
    struct gmt_registers here = {.pc = (uintptr_t)at->uc_mcontext.gregs[REG_RIP],
                                 .sp = (uintptr_t)at->uc_mcontext.gregs[REG_RSP],
                                 .fp = (uintptr_t)at->uc_mcontext.gregs[REG_RBP]};
#elif defined(__aarch64__)
    struct gmt_registers here = {.pc = at->uc_mcontext.pc,
                                 .sp = at->uc_mcontext.sp,
                                 .fp = at->uc_mcontext.regs[29],
                                 .lr = at->uc_mcontext.regs[30]};
#endif
    gmt_unwind(&here, 60, gmt_code_epoch(), &ours);
    memmove(&ours.pcs[1], &ours.pcs[0], ours.depth * sizeof ours.pcs[0]);
    ours.pcs[0] = here.pc;
    ours.depth++;
    char what[64];
    snprintf(what, sizeof what, "fault at %p, inside a comparison: %d", info->si_addr, inside);
    say(what, &ours, &none, 0);
    signal(number, SIG_DFL);
}

__attribute__((visibility("default"))) void compare_begin(void);

void compare_begin(void)
{
    __atomic_store_n(&waiting, false, __ATOMIC_RELAXED);
}

__attribute__((constructor)) static void begin(void)
{
    waiting = getenv("COMPARE_WAIT") != NULL;
    static char room[65536]; /* the fault may be the end of the stack */
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    sigaltstack(&stack, NULL);
    struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGSEGV, &fault, NULL);
    if (!getenv("COMPARE_PROFILE"))
        return;
    struct sigaction action = {.sa_handler = on_profile, .sa_flags = SA_RESTART};
    struct itimerval timer = {{0, 997}, {0, 997}};
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &timer, NULL);
}

__attribute__((destructor)) static void end(void)
{
    inside = true;
    const char *path = getenv("COMPARE_OUTPUT");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "stacks %lu frames %lu different %lu shorter %lu known %lu mistaken %lu\n", stacks, frames, different,
            shorter, known, mistaken);
    fclose(file);
}

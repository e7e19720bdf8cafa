/* Allocations below frames of many shapes: callbacks of libc, threads, signal handlers over calls, faults and other
 * stacks, variable frames, frames without a frame pointer, functions that interrupted before they had any. A preload
 * looks at the stack of each. With "signed" as argument the program says whether return addresses really are. */
#include <alloca.h>
#include <pthread.h>
#include <regex.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline))
#define WITHOUT_FP __attribute__((noinline, optimize("omit-frame-pointer")))
#define KEEP_FRAME() __asm__ volatile("" ::: "memory") /* no tail call */

static void *(*volatile allocate)(size_t) = malloc; /* the compiler must not see that nothing is done with the memory */

static NOINLINE void take(size_t bytes)
{
    free(allocate(bytes));
    KEEP_FRAME();
}

WITHOUT_FP static void take_without_frame_pointer(size_t bytes)
{
    free(allocate(bytes + 1));
    KEEP_FRAME();
}

WITHOUT_FP static void take_with_large_frame(size_t bytes)
{
    volatile char room[70000];
    room[bytes] = 1;
    take_without_frame_pointer(bytes + (size_t)room[bytes]);
    KEEP_FRAME();
}

static NOINLINE void take_with_variable_frame(size_t bytes)
{
    char *room = alloca(bytes);
    memset(room, 1, bytes);
    __asm__ volatile("" ::"r"(room) : "memory");
    take_without_frame_pointer(bytes);
    KEEP_FRAME();
}

static NOINLINE void take_aligned(size_t bytes)
{
    _Alignas(128) volatile char room[256];
    room[0] = 1;
    take(bytes + (size_t)room[0]);
    KEEP_FRAME();
}

static int compare_numbers(const void *a, const void *b)
{
    take(16);
    return *(const int *)a - *(const int *)b;
}

static NOINLINE void sort_numbers(void)
{
    int numbers[50];
    for (int i = 0; i < 50; i++)
        numbers[i] = i * 37 % 50;
    qsort(numbers, 50, sizeof numbers[0], compare_numbers);
}

static NOINLINE void match(void)
{
    regex_t expression;
    regmatch_t found[3];
    if (regcomp(&expression, "(a+|b*)*[c-f]{2,5}(x|y)$", REG_EXTENDED) != 0)
        exit(1);
    if (regexec(&expression, "aaabbbaaabcdefx", 3, found, 0) != 0)
        exit(1);
    regfree(&expression);
}

static void handle(int number)
{
    take((size_t)number);
}

/* Goes on behind the instruction that faulted. */
static void handle_fault(int number, siginfo_t *info, void *context)
{
    (void)info;
    take((size_t)number);
    ((ucontext_t *)context)->uc_mcontext.pc += 4;
}

/* A leaf: while it runs, its return address is in a register only. */
static NOINLINE void store(volatile int *place)
{
    *place = 1;
}

static volatile int *volatile nowhere; /* NULL, but the compiler must not see it */

WITHOUT_FP static void fault_in_leaf(void)
{
    store(nowhere);
    KEEP_FRAME();
}

static NOINLINE void send_signals(void)
{
    static char other_stack[65536];
    stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR2, &action, NULL);
    struct sigaction fault = {.sa_sigaction = handle_fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &fault, NULL);
    for (int i = 0; i < 20; i++) {
        raise(SIGUSR1);
        raise(SIGUSR2);
        fault_in_leaf();
    }
}

static NOINLINE int descend(int depth)
{
    char room[100];
    memset(room, depth, sizeof room);
    if (depth == 0)
        take(room[0] == 0 ? 8 : 9);
    else
        room[1] += (char)descend(depth - 1);
    return room[1];
}

static void *work(void *argument)
{
    for (size_t i = 0; i < 20; i++) {
        take(i);
        take_without_frame_pointer(i);
        take_with_large_frame(i);
        take_with_variable_frame(200 + i * 16);
        take_aligned(i);
        descend((int)i * 5);
        sort_numbers();
    }
    return argument;
}

/* Looks at the return address as it lies in this function's frame, beside the saved frame pointer, at many depths: one
 * signature in 128 has no bit that is set. */
static NOINLINE int is_signed(int depth)
{
    const volatile uintptr_t *frame = __builtin_frame_address(0);
    int one = frame[1] != (uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0));
    int others = depth > 0 ? is_signed(depth - 1) : 0;
    KEEP_FRAME();
    return one | others;
}

int main(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], "signed") == 0) {
        puts(is_signed(50) ? "signed" : "plain");
        return 0;
    }
    pthread_t threads[4];
    work(NULL);
    match();
    send_signals();
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    puts("done");
    return 0;
}

/* gmt_clone_run by itself, with the two sets of flags that every kernel and emulator knows: a process of its own, as
 * fork makes it, and a thread in the same memory. (What an emulator makes of CLONE_VM | CLONE_VFORK may be no more than
 * a fork.) Prints what came back. */
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

long gmt_clone_run(unsigned long flags, void *stack_top, int (*function)(void *), void *argument);

#define STACK_BYTES 65536
static char stack[STACK_BYTES + 32] __attribute__((aligned(16)));

struct job {
    uintptr_t stack_pointer;
    long number;
    volatile int done;
};

static int work(void *argument)
{
    struct job *job = argument;
    job->stack_pointer = (uintptr_t)__builtin_frame_address(0);
    int good = job->number == 4711 && job->stack_pointer % 16 == 0 && job->stack_pointer > (uintptr_t)stack &&
               job->stack_pointer < (uintptr_t)stack + STACK_BYTES;
    __atomic_store_n(&job->done, 1, __ATOMIC_SEQ_CST);
    return good ? 42 : 1;
}

static void in_process(const char *what, unsigned long flags, size_t beyond)
{
    struct job job = {.number = 4711};
    int status = 0;
    long pid = gmt_clone_run(flags, stack + STACK_BYTES + beyond, work, &job);
    if (pid < 0) {
        printf("%s: %s\n", what, pid == -EINVAL ? "EINVAL" : strerror((int)-pid));
        return;
    }
    long reaped = waitpid((pid_t)pid, &status, __WALL);
    printf("%s: status %d, memory %s\n", what, reaped == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1,
           job.done ? "shared" : "its own");
}

int main(void)
{
    in_process("process", SIGCHLD, 0);
    in_process("unaligned stack", SIGCHLD, 9); /* rounded down to what the processor demands */
    struct job job = {.number = 4711};
    unsigned long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    long thread = gmt_clone_run(flags, stack + STACK_BYTES, work, &job);
    for (int i = 0; i < 2000 && thread > 0 && !job.done; i++)
        usleep(1000);
    while (thread > 0 && syscall(SYS_tgkill, getpid(), thread, 0) == 0)
        usleep(1000); /* its stack is used again */
    printf("thread: %s\n", thread > 0 && job.done && job.stack_pointer != 0 ? "ran in the same memory" : "did not run");
    in_process("vfork", CLONE_VM | CLONE_VFORK | SIGCHLD, 0);
    in_process("vfork without a signal", CLONE_VM | CLONE_VFORK, 0);
    puts(gmt_clone_run(CLONE_THREAD, stack + STACK_BYTES, work, &job) == -EINVAL ? "refused: EINVAL" : "not refused");
    return 0;
}

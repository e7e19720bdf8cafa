/* Starting the command. Two steps of clone(): the first child has exit signal 0, so that the program's wait() and
 * SIGCHLD never see it; it starts the command as its own ordinary child (exec gives every process exit signal SIGCHLD)
 * and waits for it with a time limit. Both share the program's memory, the calling thread stands still meanwhile, and
 * nothing but raw system calls is made between. Built without sanitizers and stack protector for that reason. */
#include "hook/renderer.h"

#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/maps.h"
#include "base/syscall.h"
#include "base/text.h"
#include "hook/notice.h"
#include "hook/process.h"

#define STACK_BYTES ((size_t)64 << 10)
#define SIGNAL_COUNT 64
#define SIGNAL_SET_BYTES 8

long gmt_clone_run(unsigned long flags, void *stack_top, int (*function)(void *), void *argument);

static char command[4096]; /* empty when there is none */

struct job {
    const char *const *arguments;
    char *const *environment;
    char *inner_stack_top;
    uint32_t seconds;
    int status; /* the command's exit status, or -1 */
};

/* The kernel's own sigaction: handler, flags, restorer, mask. Zero is the default action without flags. */
struct kernel_sigaction {
    void *handler;
    unsigned long flags;
    void *restorer;
    uint64_t mask;
};

/* The grandchild: signals as a fresh process has them, then the command. The handlers are its own copy by now. */
static int run_command(void *argument)
{
    const struct job *job = argument;
    static const struct kernel_sigaction standard;
    for (int number = 1; number <= SIGNAL_COUNT; number++)
        gmt_syscall(SYS_rt_sigaction, number, &standard, NULL, SIGNAL_SET_BYTES);
    static const uint64_t none;
    gmt_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, SIGNAL_SET_BYTES);
    gmt_syscall(SYS_execve, command, job->arguments, job->environment);
    return 127;
}

static void sleep_ns(long nanoseconds)
{
    struct timespec pause = {.tv_nsec = nanoseconds};
    gmt_syscall(SYS_nanosleep, &pause, NULL);
}

/* The child in between: waits for the command, at most job->seconds. */
static int start_and_wait(void *argument)
{
    struct job *job = argument;
    /* Its own copy of the handlers: where the program ignores SIGCHLD the kernel would keep no status for the wait. */
    static const struct kernel_sigaction standard;
    gmt_syscall(SYS_rt_sigaction, SIGCHLD, &standard, NULL, SIGNAL_SET_BYTES);
    long pid = gmt_clone_run(CLONE_VM | CLONE_VFORK | SIGCHLD, job->inner_stack_top, run_command, job);
    if (pid < 0)
        return 1;
    uint64_t waited = 0;
    long pause = 1000000;
    int status = 0;
    long reaped;
    while ((reaped = gmt_syscall(SYS_wait4, pid, &status, WNOHANG, NULL)) == 0) {
        if (waited > (uint64_t)job->seconds * 1000000000u) {
            gmt_syscall(SYS_kill, pid, SIGKILL);
            reaped = gmt_syscall(SYS_wait4, pid, &status, 0, NULL);
            break;
        }
        sleep_ns(pause);
        waited += (uint64_t)pause;
        if (pause < 16000000)
            pause *= 2;
    }
    job->status = reaped == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return 0;
}

/* Runs the command with `arguments` (ending with NULL) and waits. Its exit status, or -1. */
static int run(const char *const *arguments)
{
    char *stacks = gmt_sys_map(2 * STACK_BYTES);
    if (!stacks)
        return -1;
    struct job job = {.arguments = arguments,
                      .environment = gmt_process_environment(),
                      .inner_stack_top = stacks + STACK_BYTES,
                      .seconds = gmt_process_options()->render_seconds,
                      .status = -1};
    static const uint64_t all = ~(uint64_t)0;
    uint64_t before = 0;
    gmt_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, SIGNAL_SET_BYTES);
    long pid = gmt_clone_run(CLONE_VM | CLONE_VFORK, stacks + 2 * STACK_BYTES, start_and_wait, &job);
    if (pid > 0) {
        while (gmt_syscall(SYS_wait4, pid, NULL, __WALL, NULL) == -EINTR)
            continue;
    }
    gmt_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, SIGNAL_SET_BYTES);
    gmt_sys_unmap(stacks, 2 * STACK_BYTES);
    return job.status == 127 ? -1 : job.status;
}

static bool is_executable(const char *path)
{
    return gmt_syscall(SYS_faccessat, AT_FDCWD, path, X_OK, 0) == 0;
}

void gmt_renderer_find(void)
{
    struct gmt_text path = gmt_text_over(command, sizeof command);
    const char *chosen = gmt_process_options()->command;
    if (chosen[0] != '\0') {
        gmt_text_add(&path, chosen);
        if (path.cut || !is_executable(command)) {
            gmt_notice_line("the option command names no program that can be run; reports will be short");
            command[0] = '\0';
        }
        return;
    }
    static const char *const places[] = {"gpumemtrace", "../bin/gpumemtrace"};
    char library[sizeof command];
    if (!gmt_maps_path_at((uintptr_t)gmt_renderer_find, library, sizeof library))
        library[0] = '\0';
    char *slash = strrchr(library, '/');
    for (unsigned i = 0; slash && i < sizeof places / sizeof places[0]; i++) {
        path = gmt_text_over(command, sizeof command);
        gmt_text_add_part(&path, library, (size_t)(slash + 1 - library));
        gmt_text_add(&path, places[i]);
        if (!path.cut && is_executable(command))
            return;
    }
    command[0] = '\0';
}

static bool can_render(struct gmt_tracker *tracker)
{
    return command[0] != '\0' && gmt_tracker_path(tracker)[0] != '\0';
}

bool gmt_renderer_out_of_memory(struct gmt_tracker *tracker, uint32_t record)
{
    if (!can_render(tracker) || !gmt_notice_usable())
        return false;
    char number[24];
    struct gmt_text text = gmt_text_over(number, sizeof number);
    gmt_text_add_decimal(&text, record);
    const char *const arguments[] = {command, "report", "--oom", number, gmt_tracker_path(tracker), NULL};
    return run(arguments) == 0;
}

int gmt_renderer_at_exit(struct gmt_tracker *tracker, bool ask_leaks)
{
    const struct gmt_options *options = gmt_process_options();
    if (!can_render(tracker))
        return -1;
    bool to_stderr = options->output[0] == '\0';
    if (to_stderr && !gmt_notice_usable())
        return -1;
    const char *arguments[16] = {command, "report", "--at-exit", "-f", options->format};
    unsigned count = 5;
    if (!to_stderr) {
        arguments[count++] = "-o";
        arguments[count++] = options->output;
    }
    if (options->keep)
        arguments[count++] = "--keep";
    if (options->full_stacks)
        arguments[count++] = "--full-stacks";
    if (ask_leaks)
        arguments[count++] = "--leak-status";
    arguments[count++] = gmt_tracker_path(tracker);
    return run(arguments);
}

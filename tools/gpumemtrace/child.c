#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "complaint.h"

static const int forwarded[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2};
#define FORWARDED_COUNT (sizeof forwarded / sizeof forwarded[0])

/* What the program is to find as this command found it. */
struct dispositions {
    struct sigaction forwarded[FORWARDED_COUNT];
    struct sigaction ended; /* of a child */
};

static volatile sig_atomic_t running; /* the program's pid, 0 before and after */

/* The kernel's own signals come from the terminal, which sends them to the whole foreground group, the program
 * included. */
static void forward(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    (void)context;
    if (running > 0 && info->si_code != SI_KERNEL && info->si_pid != running)
        kill((pid_t)running, number);
    errno = saved;
}

/* A signal that is ignored (nohup) stays so, here and in the program. But SIGCHLD: whoever ignores it gets no status
 * of a child, and a failed program would look like one that ended with 0. */
static void install_handlers(struct dispositions *before_out)
{
    static const struct sigaction standard; /* zero is the default action */
    struct sigaction action = {.sa_sigaction = forward, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigfillset(&action.sa_mask);
    for (unsigned i = 0; i < FORWARDED_COUNT; i++) {
        sigaction(forwarded[i], NULL, &before_out->forwarded[i]);
        if (before_out->forwarded[i].sa_handler != SIG_IGN)
            sigaction(forwarded[i], &action, NULL);
    }
    sigaction(SIGCHLD, &standard, &before_out->ended);
}

static void restore_handlers(const struct dispositions *before)
{
    for (unsigned i = 0; i < FORWARDED_COUNT; i++)
        sigaction(forwarded[i], &before->forwarded[i], NULL);
    sigaction(SIGCHLD, &before->ended, NULL);
}

static void block_forwarded(sigset_t *before_out)
{
    sigset_t set;
    sigemptyset(&set);
    for (unsigned i = 0; i < FORWARDED_COUNT; i++)
        sigaddset(&set, forwarded[i]);
    sigprocmask(SIG_BLOCK, &set, before_out);
}

/* In the child. Tells the parent through `report`, which closes by itself when the program starts. */
static void execute(const char *path, char **arguments, int report)
{
    execvp(path, arguments); /* path has a '/': execvp adds only the shell for text without #! */
    int error = errno;
    while (write(report, &error, sizeof error) < 0 && errno == EINTR)
        continue;
    _exit(GMT_EXIT_NOT_FOUND);
}

/* errno of a failed exec, or 0 once the program runs. */
static int await_exec(int report)
{
    int error = 0;
    ssize_t got;
    do {
        got = read(report, &error, sizeof error);
    } while (got < 0 && errno == EINTR);
    return got == sizeof error ? error : 0;
}

static void await_end(struct gmt_child *child)
{
    while (waitpid(child->pid, &child->status, 0) < 0 && errno == EINTR)
        continue;
    running = 0;
}

static int refuse_start(struct gmt_sentence *why, int error)
{
    gmt_sentence_refuse(why, "cannot start the program: %s; try again when the machine has room", strerror(error));
    return GMT_EXIT_OWN_ERROR;
}

int gmt_child_run(const char *path, char **arguments, struct gmt_child *child_out, struct gmt_sentence *why_out)
{
    struct dispositions before;
    sigset_t mask;
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0)
        return refuse_start(why_out, errno);
    block_forwarded(&mask); /* a signal between fork and `running` must wait, not be lost */
    install_handlers(&before);
    child_out->pid = fork();
    if (child_out->pid == 0) {
        restore_handlers(&before);
        sigprocmask(SIG_SETMASK, &mask, NULL);
        execute(path, arguments, report[1]);
    }
    int fork_error = errno;
    running = child_out->pid > 0 ? child_out->pid : 0;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    close(report[1]);
    int exec_error = child_out->pid > 0 ? await_exec(report[0]) : 0;
    close(report[0]);
    if (child_out->pid < 0)
        return refuse_start(why_out, fork_error);
    await_end(child_out);
    if (exec_error == 0)
        return 0;
    gmt_sentence_refuse(why_out, "cannot run %s: %s", path, strerror(exec_error));
    return exec_error == ENOENT || exec_error == ENOTDIR ? GMT_EXIT_NOT_FOUND : GMT_EXIT_NOT_EXECUTABLE;
}

int gmt_child_exit_code(const struct gmt_child *child)
{
    return WIFSIGNALED(child->status) ? GMT_EXIT_SIGNAL + WTERMSIG(child->status) : WEXITSTATUS(child->status);
}

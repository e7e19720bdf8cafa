/* waits HOW: meets out-of-memory errors, at which the tracer starts its renderer, and looks whether a child or a signal
 * was to be noticed: with a SIGCHLD handler, with SIGCHLD ignored, with a thread in wait(), with signals blocked. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

static volatile sig_atomic_t seen;

static void count(int number)
{
    (void)number;
    seen++;
}

static void fail_twice(void)
{
    CUdeviceptr p;
    for (int i = 0; i < 2; i++)
        printf("alloc: %d\n", (int)cuMemAlloc(&p, (size_t)100 << 30));
}

static void tell_children(const char *when)
{
    pid_t child = waitpid(-1, NULL, WNOHANG);
    printf("%s: wait %d, %s; signals %d\n", when, (int)child, child < 0 ? strerror(errno) : "", (int)seen);
}

static void *wait_for_child(void *argument)
{
    int status = 0;
    pid_t child = wait(&status);
    printf("the waiting thread saw its own child: %d, %d\n", child == *(pid_t *)argument, WEXITSTATUS(status));
    return NULL;
}

/* A thread waits for whatever child there is, while this one's calls fail. */
static void wait_in_thread(void)
{
    int pipe_ends[2];
    char byte;
    pthread_t thread;
    if (pipe(pipe_ends) != 0)
        exit(2);
    pid_t child = fork();
    if (child == 0) {
        close(pipe_ends[1]);
        _exit(read(pipe_ends[0], &byte, 1) == 0 ? 7 : 8);
    }
    pthread_create(&thread, NULL, wait_for_child, &child);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    fail_twice();
    close(pipe_ends[1]);
    pthread_join(thread, NULL);
}

static void last_look(void)
{
    tell_children("exit handler");
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "handler";
    CUdeviceptr p;
    setvbuf(stdout, NULL, _IONBF, 0);
    atexit(last_look);
    if (strcmp(how, "ignored") == 0)
        signal(SIGCHLD, SIG_IGN);
    else if (strcmp(how, "nocldwait") == 0)
        sigaction(SIGCHLD, &(struct sigaction){.sa_handler = count, .sa_flags = SA_NOCLDWAIT}, NULL);
    else
        signal(SIGCHLD, count);
    if (strcmp(how, "blocked") == 0) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, NULL);
    }
    use_device();
    CU(cuMemAlloc(&p, 3000));
    if (strcmp(how, "thread") == 0)
        wait_in_thread();
    else
        fail_twice();
    tell_children("after the errors");
    sigset_t now, pending;
    sigprocmask(SIG_SETMASK, NULL, &now);
    sigpending(&pending);
    printf("SIGTERM blocked %d, SIGCHLD pending %d\n", sigismember(&now, SIGTERM), sigismember(&pending, SIGCHLD));
    return 0;
}

/* ends HOW: allocates 3000 bytes and ends in one of the ways there are. */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

static void *exit_here(void *argument)
{
    exit((int)(long)argument);
}

static void exit_on_signal(int number)
{
    exit(number);
}

static void at_exit(void)
{
    printf("exit handler\n");
}

static void at_quick_exit_too(void)
{
    printf("quick exit handler\n");
    fflush(stdout);
}

static void end(const char *how, char **argv)
{
    if (strcmp(how, "exit") == 0)
        exit(4);
    if (strcmp(how, "exit_256") == 0)
        exit(256);
    if (strcmp(how, "_exit") == 0)
        _exit(4);
    if (strcmp(how, "quick_exit") == 0)
        quick_exit(4);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "term") == 0)
        raise(SIGTERM);
    if (strcmp(how, "int") == 0)
        raise(SIGINT);
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "segv") == 0) {
        volatile int *volatile nowhere = (volatile int *)8;
        *nowhere = 1;
    }
    if (strcmp(how, "handler") == 0) {
        signal(SIGUSR1, exit_on_signal);
        raise(SIGUSR1);
    }
    if (strcmp(how, "thread") == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, exit_here, (void *)4);
        pthread_join(thread, NULL);
    }
    if (strcmp(how, "main_thread_first") == 0)
        pthread_exit(NULL); /* the last thread's end is exit(0) */
    if (strcmp(how, "exec") == 0)
        execl("/bin/sh", "sh", "-c", "echo another program; exit 4", NULL);
    if (strcmp(how, "exec_self") == 0)
        execl("/proc/self/exe", argv[0], "exit", NULL);
}

int main(int argc, char **argv)
{
    CUdeviceptr p;
    setvbuf(stdout, NULL, _IONBF, 0);
    atexit(at_exit);
    at_quick_exit(at_quick_exit_too);
    use_device();
    CU(cuMemAlloc(&p, 3000));
    end(argc > 1 ? argv[1] : "return", argv);
    return 0;
}

/* children HOW: allocates, makes a child in one of the ways there are, waits for it, allocates again. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

extern char **environ;

static int report_status(pid_t child)
{
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return printf("no child: %s\n", strerror(errno));
    if (WIFEXITED(status))
        return printf("child exited with %d\n", WEXITSTATUS(status));
    return printf("child ended by signal %d\n", WTERMSIG(status));
}

static void allocate(size_t bytes)
{
    CUdeviceptr p;
    CU(cuMemAlloc(&p, bytes));
}

/* What a child does that uses the driver as if it were the parent: it has memory of its own to lose. */
static void work_in_child(void)
{
    use_device();
    allocate(111);
}

static pid_t spawn(const char *program)
{
    pid_t child = -1;
    char *const arguments[] = {(char *)(uintptr_t)program, NULL};
    return posix_spawn(&child, program, NULL, NULL, arguments, environ) == 0 ? child : -1;
}

static pid_t make_child(const char *how)
{
    pid_t child = -1;
    if (strcmp(how, "fork") == 0 && (child = fork()) == 0)
        exit(3);
    if (strcmp(how, "fork_works") == 0 && (child = fork()) == 0) {
        work_in_child();
        exit(3);
    }
    if (strcmp(how, "fork_ends_fast") == 0 && (child = fork()) == 0) {
        work_in_child();
        _exit(3);
    }
    if (strcmp(how, "fork_twice") == 0 && (child = fork()) == 0) {
        pid_t grandchild = fork();
        if (grandchild > 0)
            waitpid(grandchild, NULL, 0);
        work_in_child();
        exit(3);
    }
    if (strcmp(how, "vfork") == 0 && (child = vfork()) == 0) {
        allocate(50); /* the parent's memory: this counts there */
        _exit(3);
    }
    if (strcmp(how, "clone") == 0 && (child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)) == 0) {
        work_in_child();
        _exit(3);
    }
    if (strcmp(how, "spawn") == 0)
        child = spawn("/bin/false");
    if (strcmp(how, "exec") == 0 && (child = fork()) == 0) {
        execl("/bin/false", "false", NULL);
        _exit(9);
    }
    return child;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "fork";
    setvbuf(stdout, NULL, _IONBF, 0);
    use_device();
    allocate(1000);
    if (strcmp(how, "system") == 0) {
        printf("system: %d\n", system("exit 3"));
    } else if (strcmp(how, "popen") == 0) {
        char line[32] = "";
        FILE *pipe = popen("echo from the shell", "r");
        printf("popen: %s", pipe && fgets(line, sizeof line, pipe) ? line : "nothing\n");
        printf("%d\n", pclose(pipe));
    } else {
        report_status(make_child(how));
    }
    allocate(2000);
    return 0;
}

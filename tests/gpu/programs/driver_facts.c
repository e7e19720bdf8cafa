/* Measures what the driver does where its documentation is silent, one forked process a question.
 *
 *     driver_facts [PREFIX...]      asks all, or the questions whose names begin so: 3. 7.auto
 *
 * Lines: "fact <question>: name=value ...". A crash or a hang (20 s) ends one question, never the others. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "facts/facts.h"
#include "facts/process.h"

#define SECONDS 20

static const struct part *const lists[] = {limit_parts,  vmm_parts,  ipc_parts,  capture_parts, graph_parts,
                                           object_parts, free_parts, size_parts, pool_parts};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void ask(const struct part *part)
{
    double start = now();
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        alarm(SECONDS);
        process_begin(part->name);
        part->ask(part->argument);
        _exit(0);
    }
    process_begin(part->name);
    if (child < 0) {
        tell("cannot: fork");
        return;
    }
    setpgid(child, child);
    int status = 0;
    waitpid(child, &status, 0);
    kill(-child, SIGKILL); /* a second process that still waits for the first */
    if (WIFSIGNALED(status))
        tell("end=signal_%d seconds=%.2f", WTERMSIG(status), now() - start);
    else
        tell("end=exit_%d seconds=%.2f", WEXITSTATUS(status), now() - start);
}

static int is_wanted(const char *name, int count, char **prefixes)
{
    for (int i = 0; i < count; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return 1;
    return count == 0;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const struct part *part = lists[i]; part->name; part++)
            if (is_wanted(part->name, argc - 1, argv + 1))
                ask(part);
    return 0;
}

/* See preloaded.h. */
#include "preloaded.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FOLDER_VARIABLE "GMT_TEST_FOLDER"

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

static void add_preload(char *list, size_t capacity, const char *path)
{
    size_t length = strlen(list);
    if (path && path[0] != '\0')
        snprintf(list + length, capacity - length, "%s%s", length ? ":" : "", path);
}

static void set_environment(const struct preloaded *how, const char *folder)
{
    char text[8192] = "";
    snprintf(text, sizeof text, "%s/%s:%s", variable("GMT_DRIVERS"), how->driver ? how->driver : "table",
             variable("GMT_DRIVERS"));
    setenv("LD_LIBRARY_PATH", text, 1);
    snprintf(text, sizeof text, "dir=%s:keep=1:render=none:oom_reports=0%s%s", folder, how->options ? ":" : "",
             how->options ? how->options : "");
    setenv("GPUMEMTRACE_OPTIONS", text, 1);
    setenv(FOLDER_VARIABLE, folder, 1);
    text[0] = '\0';
    add_preload(text, sizeof text, variable("GMT_RUNTIME"));
    add_preload(text, sizeof text, how->before);
    add_preload(text, sizeof text, how->native ? NULL : variable("GMT_LIBRARY"));
    add_preload(text, sizeof text, how->after);
    if (text[0] != '\0')
        setenv("LD_PRELOAD", text, 1);
}

static void read_output(int from, const struct preloaded *how)
{
    size_t length = 0;
    ssize_t got;
    while (length + 1 < how->output_bytes &&
           (got = read(from, how->output + length, how->output_bytes - 1 - length)) > 0)
        length += (size_t)got;
    how->output[length] = '\0';
    close(from);
}

static unsigned count_traces(const char *folder)
{
    unsigned count = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory))
        count += strstr(entry->d_name, ".gmt") != NULL;
    closedir(directory);
    return count;
}

int preloaded_run(const char *name, const struct preloaded *how, unsigned *traces_out)
{
    char folder[GMT_SCRATCH_BYTES];
    int ends[2] = {-1, -1};
    gmt_scratch_make(folder);
    fflush(NULL);
    if (how->output && pipe(ends) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        set_environment(how, folder);
        if (how->output) {
            dup2(ends[1], 1);
            close(ends[0]);
            close(ends[1]);
        }
        execl("/proc/self/exe", "case", name, how->parameter, (char *)NULL);
        _exit(127);
    }
    int status = -1;
    if (how->output) {
        close(ends[1]);
        read_output(ends[0], how);
    }
    waitpid(child, &status, 0);
    if (traces_out)
        *traces_out = count_traces(folder);
    gmt_scratch_remove(folder);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

const char *preloaded_folder(void)
{
    return variable(FOLDER_VARIABLE);
}

const char *preloaded_trace(void)
{
    static char path[4096];
    const char *found = NULL;
    DIR *directory = opendir(preloaded_folder());
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        if (!strstr(entry->d_name, ".gmt"))
            continue;
        snprintf(path, sizeof path, "%s/%s", preloaded_folder(), entry->d_name);
        found = path;
    }
    closedir(directory);
    return found;
}

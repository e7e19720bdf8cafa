/* See scratch.h. */
#include "support/scratch.h"

#include <ftw.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

void gmt_scratch_make(char path_out[GMT_SCRATCH_BYTES])
{
    strcpy(path_out, "/tmp/gmt-test-XXXXXX");
    if (!mkdtemp(path_out)) {
        perror(path_out);
        exit(1);
    }
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    remove(path);
    return 0;
}

void gmt_scratch_remove(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

int gmt_child_run(int (*body)(void *argument), void *argument)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0)
        _exit(body(argument));
    int status;
    if (waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    bool written = fputs(text, file) >= 0;
    return fclose(file) == 0 && written;
}

/* A user namespace in which this user is what it was, for those who may not mount otherwise. */
static bool enter_user_namespace(void)
{
    char users[64];
    char groups[64];
    snprintf(users, sizeof users, "%u %u 1", (unsigned)geteuid(), (unsigned)geteuid());
    snprintf(groups, sizeof groups, "%u %u 1", (unsigned)getegid(), (unsigned)getegid());
    return unshare(CLONE_NEWUSER) == 0 && write_text("/proc/self/uid_map", users) &&
           write_text("/proc/self/setgroups", "deny") && write_text("/proc/self/gid_map", groups);
}

bool gmt_mounts_make_private(void)
{
    if (unshare(CLONE_NEWNS) != 0 && !(enter_user_namespace() && unshare(CLONE_NEWNS) == 0))
        return false;
    return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

bool gmt_mounts_add_tmpfs(const char *folder, const char *options)
{
    bool read_only = strstr(options, ",ro") != NULL;
    char sizes[64];
    snprintf(sizes, sizeof sizes, "%.*s", (int)strcspn(options, ","), options);
    return mount("tmpfs", folder, "tmpfs", read_only ? MS_RDONLY : 0, sizes) == 0;
}

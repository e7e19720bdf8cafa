#include "run_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "track/trace_file.h"

static bool create_in(const char *parent, char *path_out, size_t capacity)
{
    char absolute[PATH_MAX]; /* the program may change its working directory */
    if (!realpath(parent, absolute))
        return false;
    int length = snprintf(path_out, capacity, "%s/gpumemtrace-run-XXXXXX", absolute);
    if (length < 0 || (size_t)length >= capacity) {
        errno = ENAMETOOLONG;
        return false;
    }
    return mkdtemp(path_out) != NULL;
}

bool gmt_run_folder_create(char *path_out, size_t capacity, struct gmt_sentence *why_out)
{
    const char *chosen = getenv("GPUMEMTRACE_DIR");
    const char *temporary = getenv("TMPDIR");
    if (chosen && chosen[0] != '\0') {
        if (mkdir(chosen, 0700) != 0 && errno != EEXIST) {
            gmt_sentence_refuse(why_out, "cannot make the folder %s that GPUMEMTRACE_DIR names: %s", chosen,
                                strerror(errno));
            return false;
        }
        if (create_in(chosen, path_out, capacity))
            return true;
        gmt_sentence_refuse(why_out, "cannot write to %s, which GPUMEMTRACE_DIR names: %s; name another folder", chosen,
                            strerror(errno));
        return false;
    }
    if (create_in("/dev/shm", path_out, capacity))
        return true;
    if (temporary && temporary[0] != '\0' && create_in(temporary, path_out, capacity))
        return true;
    if (create_in("/tmp", path_out, capacity))
        return true;
    gmt_sentence_refuse(
        why_out,
        "cannot make a folder for trace files in /dev/shm, TMPDIR or /tmp: %s; set GPUMEMTRACE_DIR to a "
        "folder that can be written to",
        strerror(errno));
    return false;
}

/* A trace file, or a link to a library that was preloaded from there. */
static bool is_of_a_run(int folder, const char *name)
{
    size_t length = strlen(name);
    size_t suffix = strlen(GMT_TRACE_SUFFIX);
    struct stat status;
    if (length > suffix && strcmp(name + length - suffix, GMT_TRACE_SUFFIX) == 0)
        return true;
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

/* Only what a run puts there, and never through a link: where others can write to the parent, they could have put one
 * in the folder's place that leads to the user's own files. */
void gmt_run_folder_remove(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    if (descriptor >= 0 && (fstat(descriptor, &status) != 0 || status.st_uid != geteuid())) {
        close(descriptor);
        return;
    }
    DIR *folder = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    if (folder) {
        for (struct dirent *entry; (entry = readdir(folder));) {
            if (is_of_a_run(dirfd(folder), entry->d_name))
                unlinkat(dirfd(folder), entry->d_name, 0);
        }
        closedir(folder);
    }
    rmdir(path);
}

#include "trace_files.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/heap.h"
#include "report/trace_header.h"

void gmt_trace_files_add(struct gmt_trace_files *files, const char *path)
{
    if (files->count == files->capacity) {
        files->capacity = files->capacity ? 2 * files->capacity : 16;
        files->paths = realloc(files->paths, files->capacity * sizeof *files->paths);
    }
    char *copy = strdup(path);
    if (!files->paths || !copy)
        gmt_heap_exhausted();
    files->paths[files->count++] = copy;
}

static int is_trace_name(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name), suffix = strlen(GMT_TRACE_SUFFIX);
    return length > suffix && strcmp(entry->d_name + length - suffix, GMT_TRACE_SUFFIX) == 0;
}

bool gmt_trace_files_add_folder(struct gmt_trace_files *files, const char *folder, struct gmt_sentence *why_out)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_trace_name, alphasort);
    if (count < 0) {
        gmt_sentence_refuse(why_out, "cannot read the folder %s: %s", folder, strerror(errno));
        return false;
    }
    for (int i = 0; i < count; i++) {
        char *path;
        if (asprintf(&path, "%s/%s", folder, entries[i]->d_name) < 0)
            gmt_heap_exhausted();
        gmt_trace_files_add(files, path);
        free(path);
        free(entries[i]);
    }
    free(entries);
    return true;
}

/* Everything in the folders that the library would use for this user and environment: the chosen one, else the usual.
 */
static void add_usual_folders(struct gmt_trace_files *files)
{
    struct gmt_sentence ignored;
    const char *chosen = getenv("GPUMEMTRACE_DIR");
    if (chosen && chosen[0]) {
        gmt_trace_files_add_folder(files, chosen, &ignored);
        return;
    }
    const char *temporary = getenv("TMPDIR");
    const char *parents[] = {"/dev/shm", temporary && temporary[0] == '/' ? temporary : NULL, "/tmp"};
    for (unsigned i = 0; i < sizeof parents / sizeof parents[0]; i++) {
        char folder[4096];
        if (!parents[i] || (i == 2 && parents[1] && strcmp(parents[1], "/tmp") == 0))
            continue;
        snprintf(folder, sizeof folder, "%s/gpumemtrace-%u", parents[i], (unsigned)geteuid());
        struct stat status; /* /tmp is everybody's: a folder of somebody else is not the library's */
        if (lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid())
            gmt_trace_files_add_folder(files, folder, &ignored);
    }
}

/* The newest readable trace among `files`, of process `pid` or of any when pid is 0; NULL when there is none. */
static const char *newest(const struct gmt_trace_files *files, uint32_t pid)
{
    const char *best = NULL;
    uint64_t best_start = 0;
    for (unsigned i = 0; i < files->count; i++) {
        struct gmt_trace_header header;
        if (!gmt_trace_header_read(files->paths[i], &header))
            continue;
        if ((pid && header.pid != pid) || (best && header.start_unix_ns < best_start))
            continue;
        best = files->paths[i];
        best_start = header.start_unix_ns;
    }
    return best;
}

static bool add_newest_of(struct gmt_trace_files *files, uint32_t pid)
{
    struct gmt_trace_files all = {NULL, 0, 0};
    add_usual_folders(&all);
    const char *path = newest(&all, pid);
    if (path)
        gmt_trace_files_add(files, path);
    gmt_trace_files_drop(&all);
    return path != NULL;
}

bool gmt_trace_files_add_word(struct gmt_trace_files *files, const char *word, struct gmt_sentence *why_out)
{
    struct stat status;
    if (stat(word, &status) == 0 && S_ISDIR(status.st_mode)) {
        unsigned before = files->count;
        if (!gmt_trace_files_add_folder(files, word, why_out))
            return false;
        if (files->count == before)
            gmt_sentence_refuse(why_out, "there is no trace file (*%s) in %s", GMT_TRACE_SUFFIX, word);
        return files->count > before;
    }
    char *end;
    errno = 0;
    unsigned long pid = strtoul(word, &end, 10);
    bool is_pid = word[0] >= '1' && word[0] <= '9' && *end == '\0' && errno == 0 && pid <= UINT32_MAX;
    if (access(word, F_OK) == 0 || !is_pid) {
        gmt_trace_files_add(files, word); /* what is wrong with it shows when it is read */
        return true;
    }
    if (add_newest_of(files, (uint32_t)pid))
        return true;
    gmt_sentence_refuse(why_out,
                        "there is no trace file of process %lu: it is not traced, has not used CUDA yet, or wrote to "
                        "another folder (name that folder, or set GPUMEMTRACE_DIR to it)",
                        pid);
    return false;
}

bool gmt_trace_files_add_newest(struct gmt_trace_files *files, struct gmt_sentence *why_out)
{
    if (add_newest_of(files, 0))
        return true;
    gmt_sentence_refuse(why_out,
                        "there is no trace file: none was kept (GPUMEMTRACE_OPTIONS=keep=1 keeps them), or they "
                        "are in another folder (set GPUMEMTRACE_DIR to it)");
    return false;
}

void gmt_trace_files_drop(struct gmt_trace_files *files)
{
    for (unsigned i = 0; i < files->count; i++)
        free(files->paths[i]);
    free(files->paths);
    *files = (struct gmt_trace_files){NULL, 0, 0};
}

#include "preload.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "complaint.h"
#include "report/heap.h"

static const char library_name[] = "libgpumemtrace.so";

/* The folder of this command's own file, without the last '/'. */
static bool own_folder(char *folder_out, size_t capacity)
{
    ssize_t length = readlink("/proc/self/exe", folder_out, capacity - 1);
    if (length <= 0)
        return false;
    folder_out[length] = '\0';
    char *slash = strrchr(folder_out, '/');
    if (!slash)
        return false;
    *slash = '\0';
    return true;
}

/* Where the library lies: ../lib of the command, or beside it. */
static bool find_library_folder(char *folder_out, struct gmt_sentence *why_out)
{
    static const char *const places[] = {"../lib", "."};
    char own[PATH_MAX], path[PATH_MAX + 64];
    if (!own_folder(own, sizeof own)) {
        gmt_sentence_refuse(why_out, "cannot find out where this command is installed: /proc is not mounted here");
        return false;
    }
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", own, places[i], library_name);
        if (access(path, R_OK) != 0 || !realpath(path, folder_out))
            continue;
        *strrchr(folder_out, '/') = '\0';
        return true;
    }
    gmt_sentence_refuse(why_out, "%s is neither in %s/../lib nor beside the command; install it there", library_name,
                        own);
    return false;
}

/* The loader separates preloads by spaces and colons and expands $ORIGIN: a path with such letters gets a link in the
 * folder of the run. */
static const char *loadable_path(const char *path, const char *folder, struct gmt_heap *heap,
                                 struct gmt_sentence *why_out)
{
    static const char separators[] = " :$";
    if (path[strcspn(path, separators)] == '\0')
        return path;
    const char *link = gmt_heap_print(heap, "%s%s", folder, strrchr(path, '/'));
    if (link[strcspn(link, separators)] != '\0') {
        gmt_sentence_refuse(why_out,
                            "the path %s has letters that the loader does not take in a preload, and so has %s; "
                            "set GPUMEMTRACE_DIR to a folder without spaces, colons and dollars",
                            path, folder);
        return NULL;
    }
    if (symlink(path, link) == 0 || errno == EEXIST)
        return link;
    gmt_sentence_refuse(why_out, "cannot make the link %s: %s", link, strerror(errno));
    return NULL;
}

/* Appends the library `name` of `library_folder` to the list. */
static bool add_library(const char **list, const char *library_folder, const char *name,
                        const struct gmt_preload *preload, struct gmt_heap *heap, struct gmt_sentence *why_out)
{
    const char *path = gmt_heap_print(heap, "%s/%s", library_folder, name);
    if (access(path, R_OK) != 0) {
        gmt_sentence_refuse(why_out, "%s is missing; install libgpumemtrace with its simulator", path);
        return false;
    }
    path = loadable_path(path, preload->folder, heap, why_out);
    if (path)
        *list = gmt_heap_print(heap, "%s%s%s", *list, **list ? ":" : "", path);
    return path != NULL;
}

/* The preloads of the environment without those that `list` begins with. */
static const char *add_present(const char *list, struct gmt_heap *heap)
{
    char *present = (char *)gmt_heap_copy(heap, getenv("LD_PRELOAD"));
    char *rest = NULL;
    const char *ours = gmt_heap_print(heap, ":%s:", list);
    for (char *each = present ? strtok_r(present, " :", &rest) : NULL; each; each = strtok_r(NULL, " :", &rest))
        if (!strstr(ours, gmt_heap_print(heap, ":%s:", each)))
            list = gmt_heap_print(heap, "%s:%s", list, each);
    return list;
}

/* The loader takes a preload by its soname for the library that something needs, and symbols by their version, so all
 * of them can be there; the one that the program needs itself comes first, for those who look for a name without a
 * version. */
static bool add_simulator(const char **list, const char *library_folder, const struct gmt_preload *preload,
                          struct gmt_heap *heap, struct gmt_sentence *why_out)
{
    static const char *const runtimes[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"};
    const char *folder = gmt_heap_print(heap, "%s/simulator", library_folder);
    bool added = add_library(list, folder, "libcuda.so.1", preload, heap, why_out);
    for (int own = 1; own >= 0; own--) {
        for (unsigned i = 0; i < sizeof runtimes / sizeof runtimes[0] && added; i++) {
            if ((strcmp(runtimes[i], preload->cudart) == 0) == own)
                added = add_library(list, folder, runtimes[i], preload, heap, why_out);
        }
    }
    return added;
}

static bool set_preloads(const struct gmt_preload *preload, struct gmt_heap *heap, struct gmt_sentence *why_out)
{
    char library_folder[PATH_MAX];
    const char *list = "";
    if (!find_library_folder(library_folder, why_out))
        return false;
    if (preload->sanitizer[0] != '\0') {
        list = gmt_heap_copy(heap, preload->sanitizer);
        if (preload->verbose)
            gmt_complain("%s is preloaded first, because a sanitizer's runtime must be", preload->sanitizer);
    }
    if (!add_library(&list, library_folder, library_name, preload, heap, why_out))
        return false;
    if (preload->simulate_bytes) {
        if (!add_simulator(&list, library_folder, preload, heap, why_out))
            return false;
        setenv("GPUMEMTRACE_SIMULATE", gmt_heap_print(heap, "%" PRIu64, preload->simulate_bytes), 1);
    }
    list = add_present(list, heap);
    if (preload->verbose)
        gmt_complain("LD_PRELOAD=%s", list);
    return setenv("LD_PRELOAD", list, 1) == 0;
}

/* The user's settings first, then those of the command line, then what this run rests on: the later one wins. */
static bool set_options(const struct gmt_preload *preload, struct gmt_heap *heap, struct gmt_sentence *why_out)
{
    static struct gmt_options check;
    const char *present = getenv(GMT_OPTIONS_VARIABLE);
    char quote = strchr(preload->folder, '\'') ? '"' : '\'';
    const char *options = gmt_heap_print(heap, "%s%s%s%sdir=%c%s%c:render=parent:leak_check=0", present ? present : "",
                                         present && present[0] ? ":" : "", preload->settings ? preload->settings : "",
                                         preload->settings ? ":" : "", quote, preload->folder, quote);
    if (strchr(preload->folder, '\'') && strchr(preload->folder, '"')) {
        gmt_sentence_refuse(why_out,
                            "the folder %s has both kinds of quotes and cannot be handed to the library; set "
                            "GPUMEMTRACE_DIR to another folder",
                            preload->folder);
        return false;
    }
    gmt_options_init(&check);
    gmt_options_parse(&check, options, NULL, NULL);
    if (strcmp(check.dir, preload->folder) != 0 || strcmp(check.render, "parent") != 0) {
        gmt_sentence_refuse(why_out, "%s cannot be handed on: it has a quote without an end, or is too long; it is: %s",
                            GMT_OPTIONS_VARIABLE, present ? present : "");
        return false;
    }
    if (preload->verbose)
        gmt_complain("%s=%s", GMT_OPTIONS_VARIABLE, options);
    return setenv(GMT_OPTIONS_VARIABLE, options, 1) == 0;
}

bool gmt_preload_apply(const struct gmt_preload *preload, struct gmt_sentence *why_out)
{
    struct gmt_heap heap = {NULL, 0, 0};
    bool applied = set_preloads(preload, &heap, why_out) && set_options(preload, &heap, why_out);
    gmt_heap_drop(&heap);
    return applied;
}

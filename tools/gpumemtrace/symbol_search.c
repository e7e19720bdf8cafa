#include "symbol_search.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_identity.h"

/* As in <linux/openat2.h>, which older kernels' headers lack. */
#define OPENAT2_NUMBER 437
#define OPENAT2_IN_ROOT 0x10u

struct openat2_how {
    uint64_t flags, mode, resolve;
};

#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

static bool check_folder(const char *option, const char *path, struct gmt_sentence *why_out)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        gmt_sentence_refuse(why_out, "--%s %s cannot be used: %s; name a folder", option, path, strerror(errno));
        return false;
    }
    if (S_ISDIR(status.st_mode))
        return true;
    gmt_sentence_refuse(why_out, "--%s %s is not a folder; name the folder that the file is in", option, path);
    return false;
}

bool gmt_symbol_search_check(const struct gmt_symbol_search *search, struct gmt_sentence *why_out)
{
    for (unsigned i = 0; i < search->folder_count; i++)
        if (!check_folder("symbols", search->folders[i], why_out))
            return false;
    return !search->sysroot || check_folder("sysroot", search->sysroot, why_out);
}

/* Absolute links in a container's tree mean that tree, not this machine's. Before Linux 5.6 the kernel cannot do it;
 * there a link that leads out ends at a file whose build-id will not match. */
static int open_below(const char *root, const char *path, const char *joined)
{
    int folder = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return -1;
    struct openat2_how how = {.flags = OPEN_FLAGS, .resolve = OPENAT2_IN_ROOT};
    int fd = (int)syscall(OPENAT2_NUMBER, folder, path, &how, sizeof how);
    if (fd < 0 && (errno == ENOSYS || errno == EPERM))
        fd = open(joined, OPEN_FLAGS);
    close(folder);
    return fd;
}

/* The descriptor if it is a regular file's; anything else would be read by the will of the trace file's author. */
static int only_regular(int fd)
{
    struct stat status;
    if (fd < 0 || (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)))
        return fd;
    close(fd);
    return -1;
}

int gmt_symbol_search_open(const struct gmt_symbol_search *search, const char *path, struct gmt_heap *heap,
                           const char **found_out)
{
    if (!search->sysroot) {
        *found_out = path;
        return only_regular(open(path, OPEN_FLAGS));
    }
    *found_out = gmt_heap_print(heap, "%s%s", search->sysroot, path);
    return only_regular(open_below(search->sysroot, path, *found_out));
}

static const char *hex(const uint8_t *bytes, unsigned count, struct gmt_heap *heap)
{
    const char *text = count ? "" : "no build-id";
    for (unsigned i = 0; i < count; i++)
        text = gmt_heap_print(heap, "%s%02x", text, bytes[i]);
    return text;
}

void gmt_misfits_add(struct gmt_misfits *misfits, const char *path, const uint8_t *build_id, unsigned bytes,
                     struct gmt_heap *heap)
{
    for (unsigned i = 0; i < misfits->count && i < GMT_MISFITS_MAX; i++)
        if (strcmp(misfits->paths[i], path) == 0)
            return;
    if (misfits->count < GMT_MISFITS_MAX) {
        misfits->paths[misfits->count] = path;
        misfits->build_ids[misfits->count] = hex(build_id, bytes, heap);
    }
    misfits->count++;
}

/* One search through the folders. */
struct hunt {
    const struct gmt_file_wish *wish;
    struct gmt_heap *heap;
    struct gmt_misfits *misfits;
    const char **found_out;
};

static bool fits(const struct gmt_file_wish *wish, int fd, const struct gmt_elf_identity *identity)
{
    if (wish->build_id_bytes || !wish->debug_information || wish->debuglink[0] == '\0')
        return gmt_elf_identity_has_build_id(identity, wish->build_id, wish->build_id_bytes);
    return gmt_elf_has_crc(fd, wish->debuglink_crc);
}

static int try_file(struct hunt *hunt, const char *path)
{
    struct gmt_elf_identity identity;
    int fd = only_regular(open(path, OPEN_FLAGS));
    if (fd < 0)
        return -1;
    gmt_elf_identity_read(fd, &identity);
    if (identity.is_elf && fits(hunt->wish, fd, &identity)) {
        if (identity.has_debug_information || !hunt->wish->debug_information) {
            *hunt->found_out = path;
            return fd;
        }
    } else if (identity.is_elf) {
        gmt_misfits_add(hunt->misfits, path, identity.build_id, identity.build_id_bytes, hunt->heap);
    }
    close(fd);
    return -1;
}

static int try_build_id(struct hunt *hunt, const char *folder)
{
    const struct gmt_file_wish *wish = hunt->wish;
    if (wish->build_id_bytes < 2)
        return -1;
    const char *rest = hex(wish->build_id + 1, wish->build_id_bytes - 1, hunt->heap);
    const char *path = gmt_heap_print(hunt->heap, "%s/.build-id/%02x/%s", folder, wish->build_id[0], rest);
    int fd = try_file(hunt, gmt_heap_print(hunt->heap, "%s.debug", path));
    return fd >= 0 ? fd : try_file(hunt, path);
}

static int try_names(struct hunt *hunt, const char *folder)
{
    const char *path = hunt->wish->path;
    const char *slash = strrchr(path, '/'); /* the path is absolute */
    int to_slash = (int)(slash - path);
    const char *link = hunt->wish->debuglink;
    const char *names[] = {
        gmt_heap_print(hunt->heap, "%s%s.debug", folder, path),
        gmt_heap_print(hunt->heap, "%s%s", folder, path),
        gmt_heap_print(hunt->heap, "%s%s.debug", folder, slash),
        gmt_heap_print(hunt->heap, "%s%s", folder, slash),
        link[0] ? gmt_heap_print(hunt->heap, "%s%.*s/%s", folder, to_slash, path, link) : NULL,
        link[0] ? gmt_heap_print(hunt->heap, "%s/%s", folder, link) : NULL,
        link[0] ? gmt_heap_print(hunt->heap, "%s/.debug/%s", folder, link) : NULL,
    };
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        int fd = names[i] ? try_file(hunt, names[i]) : -1;
        if (fd >= 0)
            return fd;
    }
    return -1;
}

int gmt_symbol_search_find(const struct gmt_symbol_search *search, const struct gmt_file_wish *wish,
                           struct gmt_heap *heap, const char **found_out, struct gmt_misfits *misfits)
{
    struct hunt hunt = {wish, heap, misfits, found_out};
    for (unsigned i = 0; i <= search->folder_count; i++) {
        const char *folder = i < search->folder_count ? search->folders[i] : NULL;
        if (!folder && search->sysroot)
            folder = gmt_heap_print(heap, "%s/usr/lib/debug", search->sysroot);
        if (!folder)
            continue;
        int fd = try_build_id(&hunt, folder);
        if (fd < 0)
            fd = try_names(&hunt, folder);
        if (fd >= 0)
            return fd;
    }
    return -1;
}

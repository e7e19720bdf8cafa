/* Files without a name (memfd), opened by others through /proc/PID/fd, which the system allows to the same user. */
#include "simulator/shared_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Room for the label: whole pages on every machine. */
#define LABEL_BYTES 65536ull

static const char magic[16] = "gpumemtrace sim";
static const char place_magic[8] = "gmt sim";

bool gmt_sim_shared_adopt(int fd, struct gmt_sim_shared *file_out)
{
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0)
        return false;
    *file_out = (struct gmt_sim_shared){.fd = fd, .device = status.st_dev, .inode = status.st_ino};
    return true;
}

bool gmt_sim_shared_make(const struct gmt_sim_shared_label *label, struct gmt_sim_shared *file_out)
{
    struct gmt_sim_shared_label written = *label;
    memcpy(written.magic, magic, sizeof magic);
    int fd = memfd_create("simulated device memory", MFD_CLOEXEC);
    if (fd < 0)
        return false;
    if (ftruncate(fd, (off_t)(label->bytes + LABEL_BYTES)) == 0 &&
        pwrite(fd, &written, sizeof written, (off_t)label->bytes) == (ssize_t)sizeof written &&
        gmt_sim_shared_adopt(fd, file_out))
        return true;
    close(fd);
    return false;
}

/* Owns `fd`: keeps it in file_out, or closes it. */
static bool keep_if(int fd, enum gmt_sim_shared_kind kind, struct gmt_sim_shared *file_out,
                    struct gmt_sim_shared_label *label_out)
{
    struct stat status;
    if (fd < 0)
        return false;
    off_t at = fstat(fd, &status) == 0 ? status.st_size - (off_t)LABEL_BYTES : -1;
    if (at >= 0 && S_ISREG(status.st_mode) &&
        pread(fd, label_out, sizeof *label_out, at) == (ssize_t)sizeof *label_out &&
        memcmp(label_out->magic, magic, sizeof magic) == 0 && label_out->kind == kind &&
        label_out->bytes == (uint64_t)at && gmt_sim_shared_adopt(fd, file_out))
        return true;
    close(fd);
    return false;
}

bool gmt_sim_shared_accept(int fd, enum gmt_sim_shared_kind kind, struct gmt_sim_shared *file_out,
                           struct gmt_sim_shared_label *label_out)
{
    return keep_if(fcntl(fd, F_DUPFD_CLOEXEC, 0), kind, file_out, label_out);
}

struct gmt_sim_shared_place gmt_sim_shared_place(const struct gmt_sim_shared *file)
{
    struct gmt_sim_shared_place place = {.pid = getpid(), .fd = file->fd, .inode = file->inode};
    memcpy(place.magic, place_magic, sizeof place_magic);
    return place;
}

bool gmt_sim_shared_is_here(const struct gmt_sim_shared_place *place)
{
    return memcmp(place->magic, place_magic, sizeof place_magic) == 0 && place->pid == getpid();
}

bool gmt_sim_shared_open(const struct gmt_sim_shared_place *place, enum gmt_sim_shared_kind kind,
                         struct gmt_sim_shared *file_out, struct gmt_sim_shared_label *label_out)
{
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", place->pid, place->fd);
    /* Looked at first: another file of the program may have the number by now, and opening can have effects. */
    if (memcmp(place->magic, place_magic, sizeof place_magic) != 0 || stat(path, &status) != 0 ||
        !S_ISREG(status.st_mode) || status.st_ino != place->inode)
        return false;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0)
        flock(fd, LOCK_SH);
    return keep_if(fd, kind, file_out, label_out);
}

bool gmt_sim_shared_same(const struct gmt_sim_shared *left, const struct gmt_sim_shared *right)
{
    return left->device == right->device && left->inode == right->inode;
}

bool gmt_sim_shared_is_open(const struct gmt_sim_shared *file)
{
    struct gmt_sim_shared now;
    return gmt_sim_shared_adopt(file->fd, &now) && gmt_sim_shared_same(file, &now);
}

/* Who uses a file has an open file of its own with a lock on it, which the kernel takes away with its last descriptor
 * and its last mapping, in whatever process they are. */
int gmt_sim_shared_lend(const struct gmt_sim_shared *file)
{
    char path[64];
    if (!gmt_sim_shared_is_open(file))
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file->fd);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return fcntl(file->fd, F_DUPFD_CLOEXEC, 0); /* without /proc nobody is seen to use it */
    flock(fd, LOCK_SH);
    return fd;
}

bool gmt_sim_shared_in_use(const struct gmt_sim_shared *file)
{
    if (!gmt_sim_shared_is_open(file))
        return false;
    if (flock(file->fd, LOCK_EX | LOCK_NB) != 0)
        return true;
    flock(file->fd, LOCK_UN);
    return false;
}

void gmt_sim_shared_withdraw(struct gmt_sim_shared *file)
{
    int elsewhere = fcntl(file->fd, F_DUPFD_CLOEXEC, file->fd + 1);
    if (elsewhere < 0)
        return;
    close(file->fd);
    file->fd = elsewhere;
}

struct gmt_sim_shared_label *gmt_sim_shared_label_map(const struct gmt_sim_shared *file, uint64_t bytes)
{
    void *label = mmap(NULL, LABEL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, (off_t)bytes);
    return label == MAP_FAILED ? NULL : label;
}

void gmt_sim_shared_label_unmap(struct gmt_sim_shared_label *label)
{
    munmap(label, LABEL_BYTES);
}

void gmt_sim_shared_close(struct gmt_sim_shared *file)
{
    if (gmt_sim_shared_is_open(file))
        close(file->fd);
    file->fd = -1;
}

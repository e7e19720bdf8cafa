/* Copies with pread, not a mapping: a file that is cut meanwhile would kill the reader with SIGBUS, and reading a hole
 * of a tmpfs file through a mapping would take memory for it. */
#include "report/trace_input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "track/trace_file.h"

uint64_t gmt_trace_input_read(int fd, void *buffer, uint64_t bytes, uint64_t offset)
{
    uint64_t done = 0;
    while (done < bytes) {
        ssize_t got = pread(fd, (char *)buffer + done, bytes - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += (uint64_t)got;
    }
    return done;
}

uint64_t gmt_trace_input_next(int fd, uint64_t offset, uint64_t end)
{
    off_t data = lseek(fd, (off_t)offset, SEEK_DATA);
    if (data < 0)
        return errno == ENXIO ? end : offset;
    return (uint64_t)data < end ? (uint64_t)data : end;
}

uint64_t gmt_trace_input_read_stored(int fd, char *buffer, uint64_t bytes, uint64_t offset)
{
    const uint64_t step = UINT64_C(1) << 20;
    uint64_t end = offset + bytes;
    uint64_t at = gmt_trace_input_next(fd, offset, end);
    while (at < end) {
        uint64_t wanted = end - at < step ? end - at : step;
        uint64_t got = gmt_trace_input_read(fd, buffer + (at - offset), wanted, at);
        at += got;
        if (got < wanted)
            return at - offset;
        at = gmt_trace_input_next(fd, at, end);
    }
    return bytes;
}

int gmt_trace_input_open(const char *path, struct stat *status_out, struct gmt_sentence *why_out)
{
    /* O_NONBLOCK: a named pipe must not make the command wait. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        gmt_sentence_refuse(why_out, "cannot read %s: %s; name a trace file (*%s), a folder of them, or a process id",
                            path, strerror(errno), GMT_TRACE_SUFFIX);
        return -1;
    }
    if (fstat(fd, status_out) == 0 && S_ISREG(status_out->st_mode))
        return fd;
    gmt_sentence_refuse(why_out, "%s is not a file; name a trace file (*%s), a folder of them, or a process id", path,
                        GMT_TRACE_SUFFIX);
    close(fd);
    return -1;
}

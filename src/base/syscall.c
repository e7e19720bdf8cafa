/* The system calls that need a loop or a fixed set of flags. */
#include "base/syscall.h"

#include <errno.h>
#include <sys/mman.h>

int gmt_sys_write_all(int descriptor, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        long written = gmt_syscall(SYS_write, descriptor, at, bytes);
        if (written == -EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? (int)written : -EIO;
        at += written;
        bytes -= (size_t)written;
    }
    return 0;
}

long gmt_sys_read_file(const char *path, char *buffer, size_t capacity)
{
    int descriptor = gmt_sys_open(path, O_RDONLY, 0);
    if (descriptor < 0)
        return descriptor;
    size_t length = 0;
    long got = 0;
    while (length + 1 < capacity) {
        got = gmt_sys_read(descriptor, buffer + length, capacity - 1 - length);
        if (got == -EINTR)
            continue;
        if (got <= 0)
            break;
        length += (size_t)got;
    }
    gmt_sys_close(descriptor);
    buffer[length] = '\0';
    return got < 0 ? got : (long)length;
}

/* rt_sigprocmask copies its set in before it refuses the unknown `how`. No set at all would be fine with it. */
bool gmt_sys_is_readable(uintptr_t address)
{
    return address != 0 && gmt_syscall(SYS_rt_sigprocmask, ~0L, address, NULL, sizeof(uint64_t)) != -EFAULT;
}

void *gmt_sys_map(size_t bytes)
{
    long memory =
        gmt_syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory < 0 && memory > -4096 ? NULL : (void *)memory;
}

void gmt_sys_unmap(void *memory, size_t bytes)
{
    if (memory)
        gmt_syscall(SYS_munmap, memory, bytes);
}

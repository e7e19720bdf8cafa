/* Raw system calls. The hooks use these and not libc's wrappers, so that errno, cancellation points and sanitizers'
 * interceptors are left alone. Results are the kernel's: >= 0, or -errno. Safe everywhere, signal handlers included. */
#ifndef GMT_BASE_SYSCALL_H
#define GMT_BASE_SYSCALL_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#include "base/arch/syscall_x86_64.h"
#elif defined(__aarch64__)
#include "base/arch/syscall_aarch64.h"
#else
#error "libgpumemtrace runs on x86-64 and aarch64"
#endif

/* gmt_syscall(number, arguments...): up to six arguments of any integer or pointer type. */
#define gmt_syscall(...) gmt_syscall_padded_(__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define gmt_syscall_padded_(number, a, b, c, d, e, f, ...)                                                             \
    gmt_syscall_raw((number), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* Opens `path` with O_CLOEXEC added. A descriptor, or -errno. */
static inline int gmt_sys_open(const char *path, int flags, int mode)
{
    return (int)gmt_syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, mode);
}

static inline int gmt_sys_close(int descriptor)
{
    return (int)gmt_syscall(SYS_close, descriptor);
}

static inline long gmt_sys_read(int descriptor, void *buffer, size_t bytes)
{
    return gmt_syscall(SYS_read, descriptor, buffer, bytes);
}

/* Writes all of `bytes`, going on after short writes and EINTR. 0 or -errno. */
int gmt_sys_write_all(int descriptor, const void *data, size_t bytes);

/* Reads a small file (at most capacity - 1 bytes) and ends it with NUL. Its length, or -errno. */
long gmt_sys_read_file(const char *path, char *buffer, size_t capacity);

/* Whether the word at `address` can be read. Aligned or not; the answer holds as long as nobody unmaps it. */
bool gmt_sys_is_readable(uintptr_t address);

/* Maps private zeroed memory that the kernel need not reserve. NULL when refused. */
void *gmt_sys_map(size_t bytes);
void gmt_sys_unmap(void *memory, size_t bytes);

#endif

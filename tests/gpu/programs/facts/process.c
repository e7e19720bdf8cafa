/* The process of one question: the driver's functions, lines of output, free memory, and a second process. */
#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "facts.h"
#include "process.h"

#define EXPORTED_NAME(name) #name
#define LINE_SIZE 1024

struct driver drv;
static void *library;
static const char *question_name;
static long long free_before;

const char EMPTY_KERNEL[] = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry empty()\n{\n ret;\n}\n";

void process_begin(const char *question)
{
    question_name = question;
}

void tell(const char *format, ...)
{
    char line[LINE_SIZE];
    int length = snprintf(line, sizeof line, "fact %s: ", question_name);
    va_list arguments;
    va_start(arguments, format);
    length += vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
    va_end(arguments);
    if (length > LINE_SIZE - 2)
        length = LINE_SIZE - 2;
    line[length++] = '\n';
    if (write(STDOUT_FILENO, line, (size_t)length) < 0)
        _exit(1);
}

void must(const char *call, CUresult code)
{
    if (code == CUDA_SUCCESS)
        return;
    tell("cannot: %s=%d", call, code);
    _exit(0);
}

CUresult see(const char *label, const char *call, CUresult code)
{
    tell("%s %s=%d", label, call, code);
    return code;
}

static CUresult not_found(void)
{
    return CUDA_ERROR_NOT_FOUND;
}

void *driver_find(const char *name)
{
    return dlsym(library, name);
}

/* Arguments that `not_found` does not look at are harmless in the calling conventions of Linux. */
static void find_into(void *field, const char *name)
{
    void *function = driver_find(name);
    if (!function)
        function = __extension__(void *) not_found;
    memcpy(field, &function, sizeof function);
}

static void driver_open(void)
{
    library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        tell("cannot: dlopen: %s", dlerror());
        _exit(0);
    }
#define F(name) find_into(&drv.name, EXPORTED_NAME(name));
#include "functions.def"
#undef F
}

static void retain_and_set(void)
{
    CUcontext context;
    MUST(cuDevicePrimaryCtxRetain, &context, 0);
    MUST(cuCtxSetCurrent, context);
}

void device_open(void)
{
    driver_open();
    MUST(cuInit, 0);
    retain_and_set();
    memory_mark();
}

void device_reopen(int release)
{
    if (release)
        SEE("last", cuDevicePrimaryCtxRelease, 0);
    else
        SEE("reset", cuDevicePrimaryCtxReset, 0);
    retain_and_set();
}

static long long free_now(void)
{
    size_t free_bytes = 0, total_bytes;
    MUST(cuMemGetInfo, &free_bytes, &total_bytes);
    return (long long)free_bytes;
}

void memory_mark(void)
{
    free_before = free_now();
}

long long memory_taken(void)
{
    return free_before - free_now();
}

void memory_tell(const char *label)
{
    tell("%s taken=%lld", label, memory_taken());
    memory_mark();
}

struct peer peer_start(void)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends)) {
        tell("cannot: socketpair");
        _exit(0);
    }
    pid_t child = fork();
    if (child < 0) {
        tell("cannot: fork");
        _exit(0);
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        alarm(20);
    }
    close(ends[child == 0 ? 0 : 1]);
    return (struct peer){.socket = ends[child == 0 ? 1 : 0], .is_second = child == 0};
}

union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr alignment;
};

void peer_send(struct peer peer, const void *data, size_t size, int descriptor)
{
    struct iovec piece = {.iov_base = (void *)data, .iov_len = size};
    union control control = {{0}};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof descriptor);
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    if (sendmsg(peer.socket, &message, MSG_NOSIGNAL) < 0)
        tell("cannot: sendmsg");
}

int peer_receive(struct peer peer, void *data, size_t size)
{
    struct iovec piece = {.iov_base = data, .iov_len = size};
    union control control = {{0}};
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    if (recvmsg(peer.socket, &message, 0) <= 0)
        _exit(0); /* the other side has said why it ended */
    int descriptor = -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS)
        memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}

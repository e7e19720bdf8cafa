/* A second process of the same test program, for tests of what processes share. It is started with the name of its part
 * and talks to the test through a socket, which carries bytes and descriptors.
 */
#ifndef GMT_TESTS_OTHER_PROCESS_H
#define GMT_TESTS_OTHER_PROCESS_H

#include "support/unit_test.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct other_process {
    pid_t pid;
    int socket;
};

/* Ends the second process, where the assertions of cmocka cannot be used. */
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: the other process: not so: %s\n", __FILE__, __LINE__, #condition);                 \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static inline struct other_process start_other(const char *part)
{
    struct other_process other;
    int sockets[2];
    char number[16];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    fcntl(sockets[0], F_SETFD, FD_CLOEXEC); /* so that the other one sees when the test is gone */
    snprintf(number, sizeof number, "%d", sockets[1]);
    char *arguments[] = {"other", (char *)part, number, NULL};
    assert_int_equal(posix_spawn(&other.pid, "/proc/self/exe", NULL, NULL, arguments, environ), 0);
    close(sockets[1]);
    other.socket = sockets[0];
    return other;
}

/* Waits for its end and for its approval. */
static inline void end_other(struct other_process other)
{
    int status = -1;
    close(other.socket);
    assert_int_equal(waitpid(other.pid, &status, 0), other.pid);
    assert_int_equal(status, 0);
}

/* Sends bytes with a descriptor, -1 for none. False when the other end is gone. */
static inline bool tell(int socket, const void *bytes, size_t count, int fd)
{
    char control[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec piece = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    if (fd >= 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header =
            (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(header), &fd, sizeof fd);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)count;
}

/* Receives what `tell` sent; fd_out may be NULL. */
static inline bool hear(int socket, void *bytes, size_t count, int *fd_out)
{
    char control[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec piece = {bytes, count};
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    bool whole = recvmsg(socket, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC) == (ssize_t)count;
    struct cmsghdr *header = whole && fd_out ? CMSG_FIRSTHDR(&message) : NULL;
    if (header)
        memcpy(fd_out, CMSG_DATA(header), sizeof *fd_out);
    return whole && (!fd_out || header);
}

#endif

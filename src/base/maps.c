/* A line-by-line reader of /proc/PID/maps. A line is "start-end perms offset dev inode   path". */
#include "base/maps.h"

#include <unistd.h>

#include "base/syscall.h"

#define LINE_BYTES 4352 /* PATH_MAX and what stands before the path */

static uintptr_t parse_hex(const char **at)
{
    uintptr_t value = 0;
    for (;; (*at)++) {
        char c = **at;
        if (c >= '0' && c <= '9')
            value = value * 16 + (uintptr_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value * 16 + (uintptr_t)(c - 'a' + 10);
        else
            return value;
    }
}

/* The path in a line that covers `address`, or NULL. The line ends with NUL. */
static char *path_in_line(char *line, uintptr_t address)
{
    const char *at = line;
    uintptr_t start = parse_hex(&at);
    if (*at++ != '-')
        return NULL;
    uintptr_t end = parse_hex(&at);
    if (address < start || address >= end)
        return NULL;
    while (*at != '\0' && *at != '/')
        at++;
    return *at == '/' ? line + (at - line) : NULL;
}

/* The kernel writes a line end in a name as \012, and nothing else that way. The length of what is left. */
static size_t decode(char *path)
{
    size_t length = 0;
    for (const char *at = path; *at != '\0'; at++) {
        bool line_end = at[0] == '\\' && at[1] == '0' && at[2] == '1' && at[3] == '2';
        path[length++] = line_end ? '\n' : *at;
        at += line_end ? 3 : 0;
    }
    path[length] = '\0';
    return length;
}

static bool copy_path(char *path, char *path_out, size_t capacity)
{
    static const char deleted[] = " (deleted)";
    size_t length = decode(path);
    size_t tail = sizeof deleted - 1;
    if (length > tail) {
        size_t i = 0;
        while (i < tail && path[length - tail + i] == deleted[i])
            i++;
        if (i == tail && gmt_syscall(SYS_faccessat, AT_FDCWD, path, F_OK, 0) != 0) /* a file may be called so */
            length -= tail;
    }
    if (length >= capacity)
        return false;
    for (size_t i = 0; i < length; i++)
        path_out[i] = path[i];
    path_out[length] = '\0';
    return true;
}

bool gmt_maps_path_at(uintptr_t address, char *path_out, size_t capacity)
{
    /* When the main thread has ended before the others, /proc/self has no mappings any more. */
    int maps = gmt_sys_open("/proc/thread-self/maps", O_RDONLY, 0);
    if (maps < 0) /* before Linux 3.17 */
        maps = gmt_sys_open("/proc/self/maps", O_RDONLY, 0);
    if (maps < 0)
        return false;
    char buffer[4096];
    char line[LINE_BYTES];
    size_t length = 0;
    bool found = false;
    long got;
    while (!found && (got = gmt_sys_read(maps, buffer, sizeof buffer)) > 0) {
        for (long i = 0; i < got && !found; i++) {
            if (buffer[i] != '\n') {
                if (length + 1 < sizeof line)
                    line[length++] = buffer[i];
                continue;
            }
            line[length] = '\0';
            length = 0;
            char *path = path_in_line(line, address);
            found = path && copy_path(path, path_out, capacity);
        }
    }
    gmt_sys_close(maps);
    return found;
}

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

/* Reads the range that a line begins with. Returns what follows, or NULL. */
static char *read_range(char *line, uintptr_t *start_out, uintptr_t *end_out)
{
    const char *at = line;
    *start_out = parse_hex(&at);
    if (*at++ != '-')
        return NULL;
    *end_out = parse_hex(&at);
    return line + (at - line);
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

/* Calls `visit` with each line, ended by NUL, until it returns true. Returns whether it did. */
static bool each_line(bool (*visit)(char *line, void *argument), void *argument)
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
            found = visit(line, argument);
        }
    }
    gmt_sys_close(maps);
    return found;
}

struct path_wanted {
    uintptr_t address;
    char *path_out;
    size_t capacity;
};

static bool visit_for_path(char *line, void *argument)
{
    const struct path_wanted *wanted = argument;
    uintptr_t start, end;
    char *at = read_range(line, &start, &end);
    if (!at || wanted->address < start || wanted->address >= end)
        return false;
    while (*at != '\0' && *at != '/')
        at++;
    return *at == '/' && copy_path(at, wanted->path_out, wanted->capacity);
}

bool gmt_maps_path_at(uintptr_t address, char *path_out, size_t capacity)
{
    struct path_wanted wanted = {address, path_out, capacity};
    return each_line(visit_for_path, &wanted);
}

static bool visit_for_both(char *line, void *argument)
{
    const uintptr_t *both = argument;
    uintptr_t start, end;
    return read_range(line, &start, &end) && both[0] >= start && both[0] < end && both[1] >= start && both[1] < end;
}

bool gmt_maps_same_mapping(uintptr_t one, uintptr_t other)
{
    uintptr_t both[2] = {one, other};
    return each_line(visit_for_both, both);
}

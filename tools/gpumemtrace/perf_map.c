#include "perf_map.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "demangled.h"

/* Real maps have some megabytes and lines of some hundred bytes. Beyond these a map is not worth the time. */
#define BYTES_MAX (INT64_C(256) << 20)
#define LINE_MAX_BYTES 1024u
#define MATCHES_MAX (UINT64_C(1) << 24)

#define NS_PER_SECOND UINT64_C(1000000000)

/* One reading of a map. Only the place of the last line for each address is kept, so that no map takes memory. */
struct reading {
    int fd;
    const uint64_t *addresses;
    size_t count;
    off_t *lines; /* of each address: offset in the file of its line, or -1 */
    uint64_t matches;
};

/* "0x" is not perf's, but some compilers write it. */
static const char *take_hex(const char *at, const char *end, uint64_t *value_out)
{
    static const char digits[] = "0123456789abcdef";
    if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
        at += 2;
    const char *start = at;
    *value_out = 0;
    for (; at < end; at++) {
        int lower = *at >= 'A' && *at <= 'F' ? *at - 'A' + 'a' : *at;
        const char *digit = lower ? strchr(digits, lower) : NULL;
        if (!digit)
            break;
        if (*value_out >> 60)
            return NULL; /* more than 64 bits */
        *value_out = *value_out << 4 | (uint64_t)(digit - digits);
    }
    return at > start && at < end && *at == ' ' ? at + 1 : NULL;
}

/* Takes "START SIZE name" apart; false for any other line. The name ends at `end`. */
static bool parse_line(const char *line, const char *end, uint64_t *start_out, uint64_t *size_out,
                       const char **name_out)
{
    const char *at = take_hex(line, end, start_out);
    at = at ? take_hex(at, end, size_out) : NULL;
    while (at && at < end && *at == ' ')
        at++;
    *name_out = at;
    return at && at<end && * size_out> 0 && *size_out <= UINT64_MAX - *start_out;
}

static size_t first_from(const struct reading *reading, uint64_t address)
{
    size_t low = 0, high = reading->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reading->addresses[middle] < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The line at `offset` of the file, without its end. False when the work is out of proportion. */
static bool read_line(struct reading *reading, const char *line, size_t length, off_t offset)
{
    uint64_t start, size;
    const char *name;
    if (!parse_line(line, line + length, &start, &size, &name))
        return true;
    for (size_t i = first_from(reading, start); i < reading->count && reading->addresses[i] - start < size; i++) {
        reading->lines[i] = offset;
        if (++reading->matches > MATCHES_MAX)
            return false;
    }
    return true;
}

/* Reads the whole map once. Of a line longer than LINE_MAX_BYTES the rest is passed over. */
static bool read_lines(struct reading *reading)
{
    char buffer[65536], line[LINE_MAX_BYTES];
    size_t length = 0;
    off_t at = 0, line_at = 0;
    ssize_t got;
    while (at < BYTES_MAX && (got = pread(reading->fd, buffer, sizeof buffer, at)) > 0) {
        for (ssize_t i = 0; i < got; i++) {
            if (buffer[i] != '\n') {
                if (length < sizeof line)
                    line[length++] = buffer[i];
                continue;
            }
            if (!read_line(reading, line, length, line_at))
                return false;
            length = 0;
            line_at = at + i + 1;
        }
        at += got;
    }
    return at < BYTES_MAX && read_line(reading, line, length, line_at);
}

static const char *name_at(const struct reading *reading, off_t offset, struct gmt_heap *heap)
{
    char line[LINE_MAX_BYTES];
    uint64_t start, size;
    const char *name;
    ssize_t got = pread(reading->fd, line, sizeof line, offset);
    const char *end = got > 0 ? memchr(line, '\n', (size_t)got) : NULL;
    if (got > 0 && !end)
        end = line + got;
    if (got <= 0 || !parse_line(line, end, &start, &size, &name))
        return NULL; /* the map was written anew meanwhile */
    return gmt_demangled(gmt_heap_print(heap, "%.*s", (int)(end - name), name), heap);
}

/* When the process began; 0 when that cannot be told (the two clocks drift apart while a machine sleeps). */
static uint64_t process_start_unix_ns(const struct gmt_trace_header *header)
{
    uint64_t per_second = (uint64_t)sysconf(_SC_CLK_TCK);
    uint64_t ticks = header->process_start_ticks;
    if (ticks == 0 || per_second == 0 || ticks > UINT64_MAX / NS_PER_SECOND)
        return 0;
    uint64_t since_boot = ticks * NS_PER_SECOND / per_second;
    if (since_boot > header->start_monotonic_ns)
        return 0;
    uint64_t age = header->start_monotonic_ns - since_boot;
    return age < header->start_unix_ns ? header->start_unix_ns - age : 0;
}

/* Why the open file must not be believed, or NULL. */
static const char *distrust(int fd, const char *path, const struct gmt_trace_header *header, struct gmt_heap *heap)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return gmt_heap_print(heap, "%s is not a file", path);
    if (status.st_nlink > 1)
        return gmt_heap_print(heap, "%s is a link", path);
    if (status.st_uid != geteuid() && status.st_uid != 0)
        return gmt_heap_print(heap, "%s belongs to another user", path);
    uint64_t written = (uint64_t)status.st_mtim.tv_sec * NS_PER_SECOND;
    if (written + NS_PER_SECOND < process_start_unix_ns(header))
        return gmt_heap_print(heap, "%s is older than the process; it is of another one with the same number", path);
    return NULL;
}

static const char *name_from(int fd, const char *path, const uint64_t *addresses, size_t count, const char **names_out,
                             struct gmt_heap *heap)
{
    struct reading reading = {.fd = fd, .addresses = addresses, .count = count};
    reading.lines = gmt_heap_take(heap, count, sizeof *reading.lines);
    for (size_t i = 0; i < count; i++)
        reading.lines[i] = -1;
    bool complete = read_lines(&reading);
    for (size_t i = 0; i < count; i++) {
        const char *name = reading.lines[i] >= 0 ? name_at(&reading, reading.lines[i], heap) : NULL;
        if (name)
            names_out[i] = name;
    }
    return complete ? NULL : gmt_heap_print(heap, "%s is too large to be read to its end", path);
}

static bool is_of_this_host(const struct gmt_process *process)
{
    char host[256] = "";
    return !process->host || (gethostname(host, sizeof host - 1) == 0 && strcmp(host, process->host) == 0);
}

const char *gmt_perf_map_name(const char *sysroot, const struct gmt_process *process, const uint64_t *addresses,
                              size_t count, const char **names_out, struct gmt_heap *heap)
{
    const struct gmt_trace_header *header = &process->view->header;
    if (!sysroot && !is_of_this_host(process))
        return NULL;
    const char *path = gmt_heap_print(heap, "%s/tmp/perf-%" PRIu32 ".map", sysroot ? sysroot : "", header->pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
    if (fd < 0 && errno == ELOOP)
        return gmt_heap_print(heap, "%s is a link", path);
    if (fd < 0)
        return errno == ENOENT ? NULL : gmt_heap_print(heap, "%s cannot be read: %s", path, strerror(errno));
    const char *trouble = distrust(fd, path, header, heap);
    if (!trouble)
        trouble = name_from(fd, path, addresses, count, names_out, heap);
    close(fd);
    return trouble;
}

/* The process part of a trace file's header. */
#include "track/process_identity.h"

#include <link.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/clock.h"
#include "base/elf_image.h"
#include "base/environment.h"
#include "base/maps.h"
#include "base/syscall.h"
#include "base/text.h"

uint64_t gmt_process_start_ticks(void)
{
    char stat[1024];
    if (gmt_sys_read_file("/proc/self/stat", stat, sizeof stat) <= 0)
        return 0;
    /* The second field is the name in parentheses and may contain anything: count from its last ')'. */
    const char *at = strrchr(stat, ')');
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    if (!at)
        return 0;
    uint64_t ticks = 0;
    for (at++; *at >= '0' && *at <= '9'; at++)
        ticks = ticks * 10 + (uint64_t)(*at - '0');
    return ticks;
}

static int take_program_headers(const struct gmt_elf_image *image, const struct dl_phdr_info *info, void *argument)
{
    (void)image;
    *(uintptr_t *)argument = (uintptr_t)info->dlpi_phdr;
    return 1; /* the main program comes first */
}

void gmt_process_executable(char *path_out, size_t capacity)
{
    uintptr_t inside = 0;
    gmt_elf_each(take_program_headers, &inside);
    if (inside && gmt_maps_path_at(inside, path_out, capacity))
        return;
    long length = gmt_syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path_out, capacity - 1);
    path_out[length > 0 ? length : 0] = '\0';
}

static gmt_string_id add(struct gmt_trace *trace, const char *string)
{
    return gmt_trace_add_string(trace, string, strlen(string));
}

static int is_plain(const char *argument)
{
    static const char extra[] = "@%_+=:,./-";
    if (*argument == '\0')
        return 0;
    for (const char *c = argument; *c != '\0'; c++) {
        int letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (!letter && !strchr(extra, *c))
            return 0;
    }
    return 1;
}

/* Arguments as a line that a shell reads back; /proc/self/cmdline separates them by NUL. */
static gmt_string_id add_arguments(struct gmt_trace *trace)
{
    char raw[4096];
    char quoted[8192];
    /* Of a main thread that has ended there is no command line any more; before Linux 3.17 there is no thread-self. */
    long length = gmt_sys_read_file("/proc/thread-self/cmdline", raw, sizeof raw);
    if (length < 0)
        length = gmt_sys_read_file("/proc/self/cmdline", raw, sizeof raw);
    struct gmt_text line = gmt_text_over(quoted, sizeof quoted);
    for (long at = 0; at < length; at += (long)strlen(raw + at) + 1) {
        const char *argument = raw + at;
        if (at > 0)
            gmt_text_add(&line, " ");
        if (is_plain(argument)) {
            gmt_text_add(&line, argument);
            continue;
        }
        gmt_text_add(&line, "'");
        for (const char *c = argument; *c != '\0'; c++) {
            if (*c == '\'')
                gmt_text_add(&line, "'\\''");
            else
                gmt_text_add_part(&line, c, 1);
        }
        gmt_text_add(&line, "'");
    }
    return add(trace, quoted);
}

/* The rank that a launcher gave this process, or -1. */
static int32_t rank_of_process(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "RANK"};
    for (unsigned i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = gmt_environment_value(variables[i]);
        if (!value || *value < '0' || *value > '9')
            continue;
        int32_t rank = 0;
        for (; *value >= '0' && *value <= '9' && rank < 100000000; value++)
            rank = rank * 10 + (*value - '0');
        if (*value == '\0')
            return rank;
    }
    return -1;
}

void gmt_process_identify(struct gmt_trace *trace)
{
    struct gmt_trace_header *header = trace->header;
    struct utsname system;
    char path[GMT_PATH_BYTES];

    header->pid = (uint32_t)gmt_syscall(SYS_getpid);
    header->parent_pid = (uint32_t)gmt_syscall(SYS_getppid);
    header->rank = rank_of_process();
    header->end = GMT_END_RUNNING;
    header->exit_status = -1;
    header->start_unix_ns = gmt_clock_wall();
    header->start_monotonic_ns = gmt_clock_now();
    header->process_start_ticks = gmt_process_start_ticks();
    header->host = gmt_syscall(SYS_uname, &system) == 0 ? add(trace, system.nodename) : 0;
    gmt_process_executable(path, sizeof path);
    header->executable = add(trace, path);
    header->arguments = add_arguments(trace);
    long length = gmt_syscall(SYS_getcwd, path, sizeof path);
    header->working_directory = length > 0 ? add(trace, path) : 0;
    header->tool_version = add(trace, GMT_VERSION);
}

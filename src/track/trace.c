/* Creation, storage and hand-out of records of a trace file. */
#include "track/trace.h"

#include <errno.h>
#include <linux/mman.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/errors.h"
#include "base/syscall.h"
#include "track/trace_place.h"

#define PAGE 4096u
#define STEP_BYTES ((uint64_t)128 << 10) /* storage is backed in steps of this */
#define LEAST_BYTES ((uint64_t)4 << 20)  /* a file smaller than this is not worth having */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* Records of each section, for a file without limits. BLOCKS comes from max_blocks. */
static uint64_t full_capacity(enum gmt_section_id section, uint64_t max_blocks)
{
    switch (section) {
    case GMT_SECTION_STRINGS:
        return (uint64_t)16 << 20;
    case GMT_SECTION_ENTRIES:
        return 2048;
    case GMT_SECTION_DEVICES:
        return 64;
    case GMT_SECTION_CONTEXTS:
        return 16384;
    case GMT_SECTION_MODULES:
    case GMT_SECTION_POOLS:
    case GMT_SECTION_LIMITS:
        return 16384;
    case GMT_SECTION_THREADS:
        return (uint64_t)1 << 18;
    case GMT_SECTION_FREED:
        return 32768;
    case GMT_SECTION_CLIENTS:
        return 4096;
    case GMT_SECTION_FRAMES:
        return (uint64_t)8 << 20;
    case GMT_SECTION_STACKS:
    case GMT_SECTION_SITES:
        return (uint64_t)1 << 19;
    case GMT_SECTION_FAILURES:
        return 65536;
    case GMT_SECTION_OOMS:
        return 1024;
    case GMT_SECTION_BLOCKS:
        return max_blocks < UINT32_MAX ? max_blocks : UINT32_MAX - 1;
    case GMT_SECTION_COUNT:
        break;
    }
    return 0;
}

/* Sections that stay whole however small the file: their index means something outside of it. */
static bool fixed_capacity(enum gmt_section_id section)
{
    return section == GMT_SECTION_ENTRIES || section == GMT_SECTION_DEVICES;
}

static const uint64_t record_bytes[] = {
#define X(name, type) sizeof(type),
    GMT_TRACE_SECTIONS(X)
#undef X
};

static uint64_t page_up(uint64_t bytes)
{
    return (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

/* Lays the sections out with all but the fixed ones halved `halvings` times. Bytes of the whole file. */
static uint64_t lay_out(struct gmt_trace_section *sections, uint64_t max_blocks, unsigned halvings)
{
    uint64_t offset = page_up(sizeof(struct gmt_trace_header));
    for (unsigned i = 0; i < GMT_SECTION_COUNT; i++) {
        uint64_t capacity = full_capacity(i, max_blocks) >> (fixed_capacity(i) ? 0 : halvings);
        if (capacity < 16)
            capacity = 16;
        sections[i] =
            (struct gmt_trace_section){.offset = offset, .record_bytes = record_bytes[i], .capacity = capacity};
        offset += page_up(capacity * record_bytes[i]);
    }
    return offset;
}

/* The most bytes that may be mapped from a file: exceeding RLIMIT_FSIZE kills, RLIMIT_AS would starve the program. */
static uint64_t allowed_bytes(bool file)
{
    uint64_t allowed = UINT64_MAX;
    struct rlimit limit;
    if (file && gmt_syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        allowed = limit.rlim_cur;
    if (gmt_syscall(SYS_prlimit64, 0, RLIMIT_AS, NULL, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur / 16 < allowed)
        allowed = limit.rlim_cur / 16;
    return allowed;
}

/* Gives storage to [start, start + bytes) of the mapping now, so that no later store meets a full file system with
 * SIGBUS. Before Linux 5.14 a read() into each page does it: it fails with EFAULT instead. */
static bool back_storage(char *start, uint64_t bytes)
{
    long failed = gmt_syscall(SYS_madvise, start, bytes, MADV_POPULATE_WRITE);
    if (failed != -EINVAL)
        return failed == 0;
    int zeros = gmt_sys_open("/dev/zero", O_RDONLY, 0);
    if (zeros < 0)
        return false;
    bool backed = true;
    for (uint64_t at = 0; at < bytes && backed; at += PAGE)
        backed = gmt_sys_read(zeros, start + at, 1) == 1;
    gmt_sys_close(zeros);
    return backed;
}

static void *map_bytes(int file, uint64_t bytes)
{
    int flags = file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
    long memory = gmt_syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, file, 0);
    if (memory < 0 && memory > -4096)
        return NULL;
    gmt_syscall(SYS_madvise, memory, bytes, MADV_DONTFORK);
    return (void *)memory;
}

/* Storage for the header and the first records of every section: a file without room for them is not worth having, and
 * anonymous memory is better. Every trace needs these soon, so this costs nothing that would not come anyway. */
static bool back_first_steps(struct gmt_trace_header *header, const struct gmt_trace_section *sections)
{
    if (!back_storage((char *)header, page_up(sizeof *header)))
        return false;
    memcpy(header->sections, sections, sizeof header->sections);
    for (unsigned i = 0; i < GMT_SECTION_COUNT; i++) {
        struct gmt_trace_section *section = &header->sections[i];
        uint64_t whole = page_up(section->capacity * section->record_bytes);
        uint64_t bytes = whole < STEP_BYTES ? whole : STEP_BYTES;
        if (!back_storage((char *)header + section->offset, bytes))
            return false;
        section->backed = bytes;
    }
    return true;
}

/* Maps `file` (or anonymous memory when negative) at the largest layout that the limits allow. */
static int map_trace(struct gmt_trace *trace, int file, uint64_t max_blocks)
{
    struct gmt_trace_section sections[GMT_SECTION_COUNT];
    uint64_t allowed = allowed_bytes(file >= 0);
    for (unsigned halvings = 0; halvings < 20; halvings++) {
        uint64_t bytes = lay_out(sections, max_blocks, halvings);
        if (bytes > allowed)
            continue;
        if (bytes < LEAST_BYTES && halvings > 0)
            break;
        if (file >= 0 && gmt_syscall(SYS_ftruncate, file, bytes) != 0)
            continue;
        struct gmt_trace_header *header = map_bytes(file, bytes);
        if (!header)
            continue;
        if (!back_first_steps(header, sections)) {
            gmt_sys_unmap(header, bytes);
            return -GMT_E_NO_STORAGE;
        }
        memcpy(header->magic, GMT_TRACE_MAGIC, sizeof header->magic);
        header->version = GMT_TRACE_VERSION;
        header->byte_order = GMT_TRACE_BYTE_ORDER;
        header->header_bytes = sizeof *header;
        header->file_bytes = bytes;
        trace->header = header;
        trace->mapped_bytes = bytes;
        return 0;
    }
    return -GMT_E_NO_MEMORY;
}

int gmt_trace_create(struct gmt_trace *trace, const char *wanted_folder, uint64_t max_blocks)
{
    memset(trace, 0, sizeof *trace);
    int failed = -GMT_E_NO_STORAGE;
    int file = gmt_trace_place_create(wanted_folder, trace->path, sizeof trace->path);
    if (file >= 0) {
        failed = map_trace(trace, file, max_blocks);
        gmt_sys_close(file);
        if (failed)
            gmt_syscall(SYS_unlinkat, AT_FDCWD, trace->path, 0);
    }
    if (failed) {
        trace->path[0] = '\0';
        failed = map_trace(trace, -1, max_blocks);
        if (failed)
            return -GMT_E_NO_MEMORY;
        trace->header->flags |= GMT_TRACE_ANONYMOUS;
    }
    gmt_trace_append(trace, GMT_SECTION_STRINGS, 1); /* string 0 is the empty one */
    return 0;
}

void gmt_trace_close(struct gmt_trace *trace)
{
    gmt_sys_unmap(trace->header, trace->mapped_bytes);
    memset(trace, 0, sizeof *trace);
}

uint32_t gmt_trace_append(struct gmt_trace *trace, enum gmt_section_id id, uint32_t count)
{
    struct gmt_trace_section *section = &trace->header->sections[id];
    uint64_t used = section->used;
    if (count > section->capacity - used) {
        section->dropped += count;
        return GMT_NONE;
    }
    uint64_t end = (used + count) * section->record_bytes;
    if (end > section->backed) {
        uint64_t whole = page_up(section->capacity * section->record_bytes);
        uint64_t wanted = (end + STEP_BYTES - 1) & ~(STEP_BYTES - 1);
        if (wanted > whole)
            wanted = whole;
        char *start = (char *)trace->header + section->offset;
        if (!back_storage(start + section->backed, wanted - section->backed)) {
            section->dropped += count;
            gmt_trace_trouble(trace, GMT_TROUBLE_STORAGE_FULL);
            return GMT_NONE;
        }
        section->backed = wanted;
    }
    __atomic_store_n(&section->used, used + count, __ATOMIC_RELEASE);
    return (uint32_t)used;
}

gmt_string_id gmt_trace_add_string(struct gmt_trace *trace, const char *string, size_t bytes)
{
    if (bytes == 0 || bytes > UINT16_MAX)
        return 0;
    uint32_t start = gmt_trace_append(trace, GMT_SECTION_STRINGS, (uint32_t)bytes + 1);
    if (start == GMT_NONE)
        return 0;
    memcpy(GMT_RECORDS(trace, STRINGS) + start, string, bytes);
    return start;
}

void gmt_trace_trouble(struct gmt_trace *trace, enum gmt_trouble trouble)
{
    __atomic_fetch_add(&trace->header->troubles[trouble], 1, __ATOMIC_RELAXED);
}

/* Copies with pread, not a mapping: a file that is cut meanwhile would kill the reader with SIGBUS, and reading a hole
 * of a tmpfs file through a mapping would take memory for it. */
#include "report/trace_view.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/errors.h"

/* More than any tracer writes; keeps a damaged header from asking for all of the host's memory. */
#define SECTION_BYTES_MAX (UINT64_C(1) << 30)
#define STRING_BYTES_MAX (UINT64_C(1) << 18)
#define BATCH_BLOCKS 16384u

static const uint64_t record_sizes[GMT_SECTION_COUNT] = {
#define X(name, type) sizeof(type),
    GMT_TRACE_SECTIONS(X)
#undef X
};

static const char *const section_words[GMT_SECTION_COUNT] = {
    [GMT_SECTION_STRINGS] = "bytes of names",
    [GMT_SECTION_ENTRIES] = "functions",
    [GMT_SECTION_DEVICES] = "devices",
    [GMT_SECTION_CONTEXTS] = "contexts",
    [GMT_SECTION_MODULES] = "modules",
    [GMT_SECTION_CLIENTS] = "callers",
    [GMT_SECTION_FRAMES] = "stack frames",
    [GMT_SECTION_STACKS] = "call stacks",
    [GMT_SECTION_SITES] = "call sites",
    [GMT_SECTION_FAILURES] = "failed calls",
    [GMT_SECTION_OOMS] = "out-of-memory records",
    [GMT_SECTION_BLOCKS] = "block records",
};

static void add_note(struct gmt_trace_view *view, const char *note)
{
    if (view->note_count < sizeof view->notes / sizeof view->notes[0])
        view->notes[view->note_count++] = note;
}

/* Bytes of [offset, offset + bytes) that the file has. */
static uint64_t read_at(int fd, void *buffer, uint64_t bytes, uint64_t offset)
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

/* Where stored bytes go on at or after `offset`, at most `end`. A sparse file of petabytes costs what it stores. */
static uint64_t next_data(int fd, uint64_t offset, uint64_t end)
{
    off_t data = lseek(fd, (off_t)offset, SEEK_DATA);
    if (data < 0)
        return errno == ENXIO ? end : offset;
    return (uint64_t)data < end ? (uint64_t)data : end;
}

/* As read_at into a zeroed buffer, without touching the parts of it that are holes in the file. */
static uint64_t read_stored(int fd, char *buffer, uint64_t bytes, uint64_t offset)
{
    const uint64_t step = UINT64_C(1) << 20;
    uint64_t end = offset + bytes;
    uint64_t at = next_data(fd, offset, end);
    while (at < end) {
        uint64_t wanted = end - at < step ? end - at : step;
        uint64_t got = read_at(fd, buffer + (at - offset), wanted, at);
        at += got;
        if (got < wanted)
            return at - offset;
        at = next_data(fd, at, end);
    }
    return bytes;
}

/* A file that the library has made, and not yet written to. */
static bool is_fresh(const struct gmt_trace_header *header, const char *path)
{
    static const char zeroes[sizeof header->magic];
    size_t length = strlen(path), suffix = strlen(GMT_TRACE_SUFFIX);
    return memcmp(header->magic, zeroes, sizeof zeroes) == 0 && length > suffix &&
           strcmp(path + length - suffix, GMT_TRACE_SUFFIX) == 0;
}

static int refuse_fresh(const char *path, struct gmt_sentence *why_out)
{
    return gmt_sentence_refuse(why_out,
                               "%s has no complete header: its process ended, or is still, at its first CUDA call, "
                               "and nothing was recorded",
                               path);
}

static int check_header(const struct gmt_trace_header *header, const char *path, struct gmt_sentence *why_out)
{
    if (is_fresh(header, path))
        return refuse_fresh(path, why_out);
    if (memcmp(header->magic, GMT_TRACE_MAGIC, sizeof header->magic) != 0)
        return gmt_sentence_refuse(why_out,
                                   "%s is not a trace file; trace files are written by libgpumemtrace.so and end in %s",
                                   path, GMT_TRACE_SUFFIX);
    if (header->byte_order != GMT_TRACE_BYTE_ORDER)
        return gmt_sentence_refuse(why_out,
                                   "%s was written on a machine with another byte order; run gpumemtrace report on a "
                                   "machine of that kind",
                                   path);
    if (header->version != GMT_TRACE_VERSION)
        return gmt_sentence_refuse(why_out,
                                   "%s has layout %" PRIu32
                                   " and this gpumemtrace reads layout %d; use the gpumemtrace "
                                   "command that was installed with the library that wrote it",
                                   path, header->version, GMT_TRACE_VERSION);
    bool sizes_match = header->header_bytes == sizeof *header;
    for (unsigned i = 0; sizes_match && i < GMT_SECTION_COUNT; i++)
        sizes_match = header->sections[i].record_bytes == record_sizes[i];
    if (!(header->flags & GMT_TRACE_READY))
        return refuse_fresh(path, why_out);
    if (!sizes_match)
        return gmt_sentence_refuse(why_out,
                                   "%s has a damaged header (record sizes that layout %d does not have); it cannot be "
                                   "read, trace the program again",
                                   path, GMT_TRACE_VERSION);
    return GMT_OK;
}

static int read_header(struct gmt_trace_view *view, int fd, struct gmt_sentence *why_out)
{
    memset(&view->header, 0, sizeof view->header);
    uint64_t got = read_at(fd, &view->header, sizeof view->header, 0);
    if (got >= sizeof view->header)
        return check_header(&view->header, view->path, why_out);
    if (memcmp(view->header.magic, GMT_TRACE_MAGIC, sizeof view->header.magic) != 0)
        return check_header(&view->header, view->path, why_out);
    return gmt_sentence_refuse(why_out,
                               "%s is cut short: it ends after %" PRIu64 " of the %zu bytes of its header, and nothing "
                               "can be read from it; copy it again, or trace the program again",
                               view->path, got, sizeof view->header);
}

/* Records of the section that the file holds, at most those in use. Notes what is missing. */
static uint64_t count_records(struct gmt_trace_view *view, enum gmt_section_id id, uint64_t file_bytes, uint64_t limit)
{
    const struct gmt_trace_section *section = &view->header.sections[id];
    uint64_t used = section->used < section->capacity ? section->used : section->capacity;
    uint64_t present = section->offset < file_bytes ? (file_bytes - section->offset) / section->record_bytes : 0;
    if (present > limit)
        present = limit;
    if (used <= present)
        return used;
    add_note(view, gmt_heap_print(&view->heap,
                                  "The trace file is cut short or damaged: %" PRIu64 " of %" PRIu64 " %s are missing.",
                                  used - present, used, section_words[id]));
    return present;
}

static void read_section(struct gmt_trace_view *view, int fd, enum gmt_section_id id, uint64_t file_bytes)
{
    uint64_t record_bytes = record_sizes[id];
    uint64_t count = count_records(view, id, file_bytes, SECTION_BYTES_MAX / record_bytes);
    char *records = gmt_heap_take(&view->heap, count, record_bytes);
    view->records[id] = records;
    view->counts[id] = read_stored(fd, records, count * record_bytes, view->header.sections[id].offset) / record_bytes;
}

struct block_list {
    struct gmt_block_record *blocks;
    uint64_t count, capacity;
};

static void keep_blocks(struct block_list *list, const struct gmt_block_record *batch, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (batch[i].state == GMT_BLOCK_UNUSED)
            continue;
        if (list->count == list->capacity) {
            list->capacity = list->capacity ? 2 * list->capacity : 1024;
            void *larger = realloc(list->blocks, list->capacity * sizeof *batch);
            if (!larger)
                gmt_heap_exhausted();
            list->blocks = larger;
        }
        list->blocks[list->count++] = batch[i];
    }
}

static void read_blocks(struct gmt_trace_view *view, int fd, uint64_t file_bytes)
{
    static struct gmt_block_record batch[BATCH_BLOCKS];
    uint64_t total = count_records(view, GMT_SECTION_BLOCKS, file_bytes, UINT64_MAX);
    uint64_t start = view->header.sections[GMT_SECTION_BLOCKS].offset;
    uint64_t end = start + total * sizeof batch[0];
    struct block_list list = {NULL, 0, 0};
    for (uint64_t index = 0; index < total;) {
        uint64_t data = next_data(fd, start + index * sizeof batch[0], end);
        if (data >= end)
            break;
        if (data > start + index * sizeof batch[0])
            index = (data - start) / sizeof batch[0];
        uint64_t wanted = total - index < BATCH_BLOCKS ? total - index : BATCH_BLOCKS;
        uint64_t got = read_at(fd, batch, wanted * sizeof batch[0], start + index * sizeof batch[0]) / sizeof batch[0];
        keep_blocks(&list, batch, got);
        if (got < wanted)
            break;
        index += got;
    }
    view->records[GMT_SECTION_BLOCKS] = list.blocks;
    view->counts[GMT_SECTION_BLOCKS] = list.count;
}

/* Blocks first, then the header again, then what records refer to after what refers to it: a reference seen is then
 * never newer than the section that it leads to. */
static int read_everything(struct gmt_trace_view *view, int fd, uint64_t file_bytes, struct gmt_sentence *why_out)
{
    int status = read_header(view, fd, why_out);
    if (status != GMT_OK)
        return status;
    read_blocks(view, fd, file_bytes);
    status = read_header(view, fd, why_out);
    if (status != GMT_OK) {
        free((void *)view->records[GMT_SECTION_BLOCKS]);
        return status;
    }
    for (int id = GMT_SECTION_BLOCKS - 1; id >= 0; id--)
        read_section(view, fd, (enum gmt_section_id)id, file_bytes);
    return GMT_OK;
}

static int open_file(const char *path, struct stat *status_out, struct gmt_sentence *why_out)
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

int gmt_trace_view_open(const char *path, struct gmt_trace_view *view_out, struct gmt_sentence *why_out)
{
    struct stat file;
    int fd = open_file(path, &file, why_out);
    if (fd < 0)
        return -GMT_E_INVALID;
    *view_out = (struct gmt_trace_view){.path = NULL};
    view_out->path = gmt_heap_copy(&view_out->heap, path);
    int status = read_everything(view_out, fd, (uint64_t)file.st_size, why_out);
    close(fd);
    if (status != GMT_OK)
        gmt_heap_drop(&view_out->heap);
    return status;
}

bool gmt_trace_header_read(const char *path, struct gmt_trace_header *header_out)
{
    struct gmt_sentence ignored;
    struct stat file;
    int fd = open_file(path, &file, &ignored);
    if (fd < 0)
        return false;
    bool whole = read_at(fd, header_out, sizeof *header_out, 0) == sizeof *header_out;
    close(fd);
    return whole && check_header(header_out, path, &ignored) == GMT_OK;
}

void gmt_trace_view_close(struct gmt_trace_view *view)
{
    free((void *)view->records[GMT_SECTION_BLOCKS]);
    gmt_heap_drop(&view->heap);
    *view = (struct gmt_trace_view){.path = NULL};
}

const char *gmt_trace_view_string(const struct gmt_trace_view *view, gmt_string_id id)
{
    const char *strings = view->records[GMT_SECTION_STRINGS];
    uint64_t bytes = view->counts[GMT_SECTION_STRINGS];
    if (id == 0 || id >= bytes || strings[id] == '\0')
        return NULL;
    uint64_t most = bytes - id < STRING_BYTES_MAX ? bytes - id : STRING_BYTES_MAX;
    return memchr(strings + id, '\0', most) ? strings + id : NULL;
}

static const void *record_at(const struct gmt_trace_view *view, enum gmt_section_id id, uint64_t index)
{
    if (index >= view->counts[id])
        return NULL;
    return (const char *)view->records[id] + index * record_sizes[id];
}

#define ACCESSOR(noun, SECTION)                                                                                        \
    const struct gmt_##noun##_record *gmt_trace_view_##noun(const struct gmt_trace_view *view, uint64_t index)         \
    {                                                                                                                  \
        return record_at(view, GMT_SECTION_##SECTION, index);                                                          \
    }
ACCESSOR(entry, ENTRIES)
ACCESSOR(device, DEVICES)
ACCESSOR(context, CONTEXTS)
ACCESSOR(module, MODULES)
ACCESSOR(client, CLIENTS)
ACCESSOR(frame, FRAMES)
ACCESSOR(stack, STACKS)
ACCESSOR(site, SITES)
ACCESSOR(failure, FAILURES)
ACCESSOR(oom, OOMS)
ACCESSOR(block, BLOCKS)

#include "report/trace_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/errors.h"
#include "report/trace_header.h"
#include "report/trace_input.h"

/* More than any tracer writes; keeps a damaged header from asking for all of the host's memory. */
#define SECTION_BYTES_MAX (UINT64_C(1) << 30)
#define STRING_BYTES_MAX (UINT64_C(1) << 18)
#define BATCH_BLOCKS 16384u

static const char *const section_words[GMT_SECTION_COUNT] = {
    [GMT_SECTION_STRINGS] = "bytes of names", [GMT_SECTION_ENTRIES] = "functions",
    [GMT_SECTION_DEVICES] = "devices",        [GMT_SECTION_CONTEXTS] = "contexts",
    [GMT_SECTION_THREADS] = "threads",        [GMT_SECTION_MODULES] = "modules",
    [GMT_SECTION_CLIENTS] = "callers",        [GMT_SECTION_FRAMES] = "stack frames",
    [GMT_SECTION_STACKS] = "call stacks",     [GMT_SECTION_SITES] = "call sites",
    [GMT_SECTION_FAILURES] = "failed calls",  [GMT_SECTION_OOMS] = "out-of-memory records",
    [GMT_SECTION_POOLS] = "memory pools",     [GMT_SECTION_LIMITS] = "changes of limits",
    [GMT_SECTION_FREED] = "records of frees", [GMT_SECTION_BLOCKS] = "block records",
};

static void add_note(struct gmt_trace_view *view, const char *note)
{
    if (view->note_count < sizeof view->notes / sizeof view->notes[0])
        view->notes[view->note_count++] = note;
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
    uint64_t record_bytes = gmt_trace_record_bytes(id);
    uint64_t count = count_records(view, id, file_bytes, SECTION_BYTES_MAX / record_bytes);
    char *records = gmt_heap_take(&view->heap, count, record_bytes);
    view->records[id] = records;
    view->counts[id] =
        gmt_trace_input_read_stored(fd, records, count * record_bytes, view->header.sections[id].offset) / record_bytes;
}

struct block_list {
    struct gmt_block_record *blocks;
    uint32_t *numbers;
    uint64_t count, capacity;
};

static void *resized(void *array, uint64_t count, size_t size)
{
    void *larger = realloc(array, count * size);
    if (!larger)
        gmt_heap_exhausted();
    return larger;
}

/* `first` is the index of batch[0]. No block is known by a number beyond 32 bits. */
static void keep_blocks(struct block_list *list, const struct gmt_block_record *batch, uint64_t count, uint64_t first)
{
    for (uint64_t i = 0; i < count && first + i < GMT_NONE; i++) {
        if (batch[i].state == GMT_BLOCK_UNUSED)
            continue;
        if (list->count == list->capacity) {
            list->capacity = list->capacity ? 2 * list->capacity : 1024;
            list->blocks = resized(list->blocks, list->capacity, sizeof *list->blocks);
            list->numbers = resized(list->numbers, list->capacity, sizeof *list->numbers);
        }
        list->blocks[list->count] = batch[i];
        list->numbers[list->count++] = (uint32_t)(first + i);
    }
}

static void read_blocks(struct gmt_trace_view *view, int fd, uint64_t file_bytes)
{
    static struct gmt_block_record batch[BATCH_BLOCKS];
    uint64_t total = count_records(view, GMT_SECTION_BLOCKS, file_bytes, UINT64_MAX);
    uint64_t start = view->header.sections[GMT_SECTION_BLOCKS].offset;
    uint64_t end = start + total * sizeof batch[0];
    struct block_list list = {NULL, NULL, 0, 0};
    for (uint64_t index = 0; index < total;) {
        uint64_t data = gmt_trace_input_next(fd, start + index * sizeof batch[0], end);
        if (data >= end)
            break;
        if (data > start + index * sizeof batch[0])
            index = (data - start) / sizeof batch[0];
        uint64_t wanted = total - index < BATCH_BLOCKS ? total - index : BATCH_BLOCKS;
        uint64_t got = gmt_trace_input_read(fd, batch, wanted * sizeof batch[0], start + index * sizeof batch[0]) /
                       sizeof batch[0];
        keep_blocks(&list, batch, got, index);
        if (got < wanted)
            break;
        index += got;
    }
    view->records[GMT_SECTION_BLOCKS] = list.blocks;
    view->block_numbers = list.numbers;
    view->counts[GMT_SECTION_BLOCKS] = list.count;
}

static void drop_blocks(struct gmt_trace_view *view)
{
    free((void *)view->records[GMT_SECTION_BLOCKS]);
    free((void *)view->block_numbers);
}

/* Blocks first, then the header again, then what records refer to after what refers to it: a reference seen is then
 * never newer than the section that it leads to. */
static int read_everything(struct gmt_trace_view *view, int fd, uint64_t file_bytes, struct gmt_sentence *why_out)
{
    int status = gmt_trace_header_load(fd, view->path, &view->header, why_out);
    if (status != GMT_OK)
        return status;
    read_blocks(view, fd, file_bytes);
    status = gmt_trace_header_load(fd, view->path, &view->header, why_out);
    if (status != GMT_OK) {
        drop_blocks(view);
        return status;
    }
    for (int id = GMT_SECTION_BLOCKS - 1; id >= 0; id--)
        read_section(view, fd, (enum gmt_section_id)id, file_bytes);
    return GMT_OK;
}

int gmt_trace_view_open(const char *path, struct gmt_trace_view *view_out, struct gmt_sentence *why_out)
{
    struct stat file;
    int fd = gmt_trace_input_open(path, &file, why_out);
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

void gmt_trace_view_close(struct gmt_trace_view *view)
{
    drop_blocks(view);
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
    return (const char *)view->records[id] + index * gmt_trace_record_bytes(id);
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
ACCESSOR(thread, THREADS)
ACCESSOR(pool, POOLS)
ACCESSOR(limit, LIMITS)
ACCESSOR(block, BLOCKS)

const struct gmt_block_record *gmt_trace_view_block_numbered(const struct gmt_trace_view *view, uint32_t number)
{
    uint64_t low = 0, high = view->counts[GMT_SECTION_BLOCKS];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (view->block_numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    const struct gmt_block_record *block = gmt_trace_view_block(view, low);
    return block && view->block_numbers[low] == number ? block : NULL;
}

/* Modules by path and build-id. */
#include "track/module_table.h"

#include <link.h>
#include <string.h>

#include "base/code_epoch.h"
#include "base/elf_image.h"
#include "base/maps.h"
#include "base/syscall.h"
#include "base/text.h"
#include "base/uthash_setup.h"
#include "track/process_identity.h"

#define BUILD_ID_BYTES 20

struct gmt_module_node {
    UT_hash_handle hh;
    uint64_t hash; /* of path and build-id: collisions are told apart by the record */
    uint32_t record;
};

struct build_id {
    uint8_t bytes[BUILD_ID_BYTES];
    uint32_t length;
};

/* The NT_GNU_BUILD_ID note of a loaded object; length 0 when it has none. */
static struct build_id build_id_of(const struct dl_phdr_info *info)
{
    struct build_id id = {.length = 0};
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE)
            continue;
        const char *at = (const char *)(info->dlpi_addr + segment->p_vaddr);
        const char *end = at + segment->p_memsz;
        size_t align = segment->p_align == 8 ? 8 : 4;
        while ((size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
            const ElfW(Nhdr) *note = (const void *)at;
            const char *name = at + sizeof *note;
            size_t name_bytes = (note->n_namesz + align - 1) & ~(align - 1);
            size_t data_bytes = (note->n_descsz + align - 1) & ~(align - 1);
            if (name_bytes > (size_t)(end - name) || data_bytes > (size_t)(end - name) - name_bytes)
                break;
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
                id.length = note->n_descsz < BUILD_ID_BYTES ? note->n_descsz : BUILD_ID_BYTES;
                memcpy(id.bytes, name + name_bytes, id.length);
                return id;
            }
            at = name + name_bytes + data_bytes;
        }
    }
    return id;
}

/* Absolute path of a loaded object. The main program has an empty name in the loader's list. */
static void path_of(const struct dl_phdr_info *info, struct gmt_text *path)
{
    const char *name = info->dlpi_name ? info->dlpi_name : "";
    if (name[0] == '\0') {
        if (gmt_maps_path_at((uintptr_t)info->dlpi_phdr, path->data, path->capacity))
            path->length = strlen(path->data);
        return;
    }
    if (name[0] != '/' && strchr(name, '/')) { /* opened by a relative path */
        char here[GMT_PATH_BYTES];
        if (gmt_syscall(SYS_getcwd, here, sizeof here) > 0) {
            gmt_text_add(path, here);
            gmt_text_add(path, "/");
        }
    }
    gmt_text_add(path, name);
}

static uint64_t hash_of(const struct gmt_text *path, const struct build_id *id)
{
    uint64_t hash = 14695981039346656037ull; /* FNV-1a */
    for (size_t i = 0; i < path->length; i++)
        hash = (hash ^ (uint8_t)path->data[i]) * 1099511628211ull;
    for (uint32_t i = 0; i < id->length; i++)
        hash = (hash ^ id->bytes[i]) * 1099511628211ull;
    return hash;
}

static bool record_equals(const struct gmt_trace *trace, uint32_t index, const struct gmt_text *path,
                          const struct build_id *id)
{
    const struct gmt_module_record *record = &GMT_RECORDS(trace, MODULES)[index];
    return record->build_id_bytes == id->length && memcmp(record->build_id, id->bytes, id->length) == 0 &&
           strcmp(GMT_RECORDS(trace, STRINGS) + record->path, path->data) == 0;
}

/* Finds or makes the record. Under the lock. */
static uint32_t intern(const struct gmt_module_context *context, const struct gmt_text *path, const struct build_id *id)
{
    struct gmt_arena *arena = context->arena;
    struct gmt_trace *trace = context->trace;
    bool hash_refused = false;
    uint64_t hash = hash_of(path, id);
    struct gmt_module_node *node = NULL;
    HASH_FIND_BYHASHVALUE(hh, context->table->head, &hash, sizeof hash, (unsigned)hash, node);
    if (node && record_equals(trace, node->record, path, id))
        return node->record;
    uint32_t index = gmt_trace_append(trace, GMT_SECTION_MODULES, 1);
    if (index == GMT_NONE)
        return GMT_NONE;
    struct gmt_module_record *record = &GMT_RECORDS(trace, MODULES)[index];
    record->path = gmt_trace_add_string(trace, path->data, path->length);
    record->build_id_bytes = id->length;
    memcpy(record->build_id, id->bytes, id->length);
    record->epoch = gmt_code_epoch();
    if (!node && (node = gmt_arena_take(arena, sizeof *node)) != NULL) {
        node->hash = hash;
        node->record = index;
        HASH_ADD_BYHASHVALUE(hh, context->table->head, hash, sizeof hash, (unsigned)hash, node);
        if (hash_refused)
            gmt_arena_give(arena, node, sizeof *node);
    }
    return index;
}

struct resolve {
    const struct gmt_module_context *context;
    const uintptr_t *pcs;
    uint32_t count;
    uint32_t left;
    struct gmt_frame_record *frames;
};

static void note_loaded(struct gmt_trace *trace, uint32_t module, const struct dl_phdr_info *info)
{
    if (module == GMT_NONE)
        return;
    struct gmt_module_record *record = &GMT_RECORDS(trace, MODULES)[module];
    record->base = info->dlpi_addr;
    record->unloaded = 0;
}

static int visit_object(const struct gmt_elf_image *image, const struct dl_phdr_info *info, void *argument)
{
    (void)image;
    struct resolve *resolve = argument;
    uint32_t module = GMT_NONE;
    bool known = false;
    for (uint32_t i = 0; i < resolve->count; i++) {
        struct gmt_frame_record *frame = &resolve->frames[i];
        if (frame->module != GMT_NONE || !gmt_elf_contains(info, resolve->pcs[i]))
            continue;
        if (!known) {
            char buffer[GMT_PATH_BYTES];
            struct gmt_text path = gmt_text_over(buffer, sizeof buffer);
            path_of(info, &path);
            struct build_id id = build_id_of(info);
            if (gmt_lock_take(resolve->context->lock) == 0) {
                module = intern(resolve->context, &path, &id);
                note_loaded(resolve->context->trace, module, info);
                gmt_lock_give(resolve->context->lock);
            }
            known = true;
        }
        if (module == GMT_NONE)
            return 0;
        frame->module = module;
        frame->offset = resolve->pcs[i] - info->dlpi_addr;
        resolve->left--;
    }
    return resolve->left == 0;
}

void gmt_modules_resolve(const struct gmt_module_context *context, const uintptr_t *pcs, uint32_t count,
                         struct gmt_frame_record *frames_out)
{
    for (uint32_t i = 0; i < count; i++)
        frames_out[i] = (struct gmt_frame_record){.offset = pcs[i], .module = GMT_NONE};
    struct resolve resolve = {context, pcs, count, count, frames_out};
    gmt_elf_each(visit_object, &resolve);
}

#define MODULES_CHECKED 16384u

struct check {
    struct gmt_trace *trace;
    uint64_t count;
    uint64_t loaded[MODULES_CHECKED / 64]; /* one bit for each module */
};

/* By path and build-id; where the loader does not tell a whole path, by what it tells of it and by the place. The place
 * alone is not enough: another file may have been loaded there since. */
static bool is_module(const struct gmt_trace *trace, const struct gmt_module_record *record,
                      const struct dl_phdr_info *info)
{
    const char *name = info->dlpi_name ? info->dlpi_name : "";
    const char *path = GMT_RECORDS(trace, STRINGS) + record->path;
    size_t more = strlen(path) - strlen(name); /* of a relative path: the folder that was the working directory then */
    if (strlen(path) < strlen(name) || strcmp(path + more, name) != 0)
        return false;
    if (name[0] == '/' ? more > 0 : record->base != info->dlpi_addr)
        return false;
    struct build_id id = build_id_of(info);
    return id.length == record->build_id_bytes && memcmp(id.bytes, record->build_id, id.length) == 0;
}

static int visit_loaded(const struct gmt_elf_image *image, const struct dl_phdr_info *info, void *argument)
{
    (void)image;
    struct check *check = argument;
    for (uint64_t i = 0; i < check->count; i++) {
        if (is_module(check->trace, &GMT_RECORDS(check->trace, MODULES)[i], info))
            check->loaded[i / 64] |= (uint64_t)1 << i % 64;
    }
    return 0;
}

void gmt_modules_check(const struct gmt_module_context *context, uint64_t now_ns)
{
    struct gmt_trace *trace = context->trace;
    struct check check = {.trace = trace};
    check.count = __atomic_load_n(&trace->header->sections[GMT_SECTION_MODULES].used, __ATOMIC_ACQUIRE);
    if (check.count > MODULES_CHECKED)
        check.count = MODULES_CHECKED;
    gmt_elf_each(visit_loaded, &check);
    if (gmt_lock_take(context->lock) != 0)
        return;
    for (uint64_t i = 0; i < check.count; i++) {
        struct gmt_module_record *record = &GMT_RECORDS(trace, MODULES)[i];
        bool loaded = check.loaded[i / 64] >> i % 64 & 1;
        if (!loaded && !record->unloaded)
            record->unloaded_ns = now_ns;
        record->unloaded = !loaded;
    }
    gmt_lock_give(context->lock);
}

#include "module_file.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "elf_identity.h"

/* What was found in a --symbols folder comes first. Only once: later questions are about what dwz put elsewhere. */
static int find_debuginfo(Dwfl_Module *module, void **user_data, const char *module_name, Dwarf_Addr base,
                          const char *file_name, const char *debuglink, GElf_Word crc, char **debuginfo_out)
{
    struct gmt_module_file *file = *user_data;
    const char *path = file->debug_path;
    file->debug_path = NULL;
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return dwfl_standard_find_debuginfo(module, user_data, module_name, base, file_name, debuglink, crc,
                                            debuginfo_out);
    *debuginfo_out = strdup(path); /* libdw frees it */
    return fd;
}

/* Separate debug files: beside the file, in .debug there, and below the system's folder; the CRC of .gnu_debuglink or
 * the build-id is checked by libdw. */
static char debug_path[] = ":.debug:/usr/lib/debug";
static char *debug_path_pointer = debug_path;
static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf, .find_debuginfo = find_debuginfo, .debuginfo_path = &debug_path_pointer};

/* "no build-id" reads on as it is; hex digits need their noun. */
static const char *id_words(const char *build_id, struct gmt_heap *heap)
{
    return strchr(build_id, ' ') ? build_id : gmt_heap_print(heap, "build-id %s", build_id);
}

/* "A; B has build-id 0a…": every file that has the right name and is not the one that ran. */
static const char *add_misfits(const char *clause, const struct gmt_misfits *misfits, const char *what,
                               struct gmt_heap *heap)
{
    for (unsigned i = 0; i < misfits->count && i < GMT_MISFITS_MAX; i++)
        clause = gmt_heap_print(heap, "%s%s%s is not %s (it has %s)", clause, clause[0] ? "; " : "", misfits->paths[i],
                                what, id_words(misfits->build_ids[i], heap));
    if (misfits->count > GMT_MISFITS_MAX)
        clause = gmt_heap_print(heap, "%s; nor are %u more", clause, misfits->count - GMT_MISFITS_MAX);
    return clause;
}

/* The module's own file; -1 with trouble. */
static int open_own(const struct gmt_module *module, const struct gmt_symbol_search *search, struct gmt_heap *heap,
                    struct gmt_elf_identity *identity, const char **path_out, const char **trouble_out)
{
    int fd = gmt_symbol_search_open(search, module->path, heap, path_out);
    *trouble_out = search->sysroot ? gmt_heap_print(heap, "%s is not there or cannot be read", *path_out)
                                   : "the file is gone or cannot be read";
    if (fd < 0)
        return -1;
    gmt_elf_identity_read(fd, identity);
    if (gmt_elf_identity_has_build_id(identity, module->build_id, module->build_id_bytes))
        return fd;
    struct gmt_misfits own = {.count = 0};
    gmt_misfits_add(&own, *path_out, identity->build_id, identity->build_id_bytes, heap);
    *trouble_out =
        gmt_heap_print(heap, "this file is not the one that ran: %s has %s, and the one that ran %s", *path_out,
                       id_words(own.build_ids[0], heap),
                       module->build_id_bytes ? gmt_heap_print(heap, "had %s", module->build_id_hex) : "had none");
    close(fd);
    return -1;
}

/* Looks for debug information that the file itself does not have. Where it lies is for find_debuginfo; what lies there
 * in its place is trouble when libdw finds nothing better. */
static void find_separate(const struct gmt_module *module, const struct gmt_symbol_search *search,
                          const struct gmt_elf_identity *identity, struct gmt_heap *heap, struct gmt_misfits *misfits,
                          struct gmt_module_file *file)
{
    struct gmt_file_wish wish = {.path = module->path,
                                 .build_id = module->build_id,
                                 .build_id_bytes = module->build_id_bytes,
                                 .debuglink = identity->debuglink,
                                 .debuglink_crc = identity->debuglink_crc,
                                 .debug_information = true};
    int fd = gmt_symbol_search_find(search, &wish, heap, &file->debug_path, misfits);
    if (fd >= 0)
        close(fd);
}

/* Something that stands for the module's own file: best its debug information, else a copy of it. */
static int open_instead(const struct gmt_module *module, const struct gmt_symbol_search *search, struct gmt_heap *heap,
                        struct gmt_misfits *misfits, const char **path_out)
{
    struct gmt_file_wish wish = {.path = module->path,
                                 .build_id = module->build_id,
                                 .build_id_bytes = module->build_id_bytes,
                                 .debuglink = "",
                                 .debug_information = true};
    int fd = gmt_symbol_search_find(search, &wish, heap, path_out, misfits);
    wish.debug_information = false;
    return fd >= 0 ? fd : gmt_symbol_search_find(search, &wish, heap, path_out, misfits);
}

static bool open_dwfl(struct gmt_module_file *file, const char *path, int fd)
{
    void **user_data;
    file->dwfl = dwfl_begin(&callbacks);
    dwfl_report_begin(file->dwfl);
    file->module = dwfl_report_elf(file->dwfl, path, path, fd, 0, true);
    dwfl_report_end(file->dwfl, NULL, NULL);
    if (!file->module) {
        close(fd);
        dwfl_end(file->dwfl);
        file->dwfl = NULL;
        return false;
    }
    dwfl_module_info(file->module, &user_data, NULL, NULL, NULL, NULL, NULL, NULL);
    *user_data = file;
    gmt_symbol_table_fill(&file->symbols, file->module);
    return true;
}

static bool has_lines(struct gmt_module_file *file)
{
    Dwarf_Addr bias;
    return dwfl_module_getdwarf(file->module, &bias) != NULL;
}

void gmt_module_file_open(const struct gmt_module *module, const struct gmt_symbol_search *search,
                          struct gmt_heap *heap, struct gmt_module_file *file_out)
{
    struct gmt_elf_identity identity = {.is_elf = false};
    struct gmt_misfits misfits = {.count = 0};
    const char *path;
    *file_out =
        (struct gmt_module_file){.path = module->path, .build_id_hex = module->build_id_hex, .trouble = "no file"};
    if (module->path[0] != '/')
        return; /* "[vdso]" */
    int fd = open_own(module, search, heap, &identity, &path, &file_out->trouble);
    if (fd >= 0 && !identity.has_debug_information)
        find_separate(module, search, &identity, heap, &misfits, file_out);
    if (fd < 0) {
        fd = open_instead(module, search, heap, &misfits, &path);
        file_out->trouble = add_misfits(file_out->trouble, &misfits, "the one that ran", heap);
        if (fd < 0)
            return;
    }
    file_out->trouble = "the file cannot be read as ELF";
    if (!open_dwfl(file_out, path, fd))
        return;
    file_out->trouble = NULL;
    if (misfits.count == 0 || has_lines(file_out))
        return;
    file_out->trouble = add_misfits("", &misfits, "of the file that ran", heap);
    file_out->lacks_lines_only = true;
}

void gmt_module_file_close(struct gmt_module_file *file)
{
    gmt_symbol_table_drop(&file->symbols);
    gmt_unit_index_drop(&file->units);
    if (file->dwfl)
        dwfl_end(file->dwfl);
    file->dwfl = NULL;
}

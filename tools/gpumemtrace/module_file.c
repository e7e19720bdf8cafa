#include "module_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/heap.h"

/* Separate debug files: beside the file, in .debug there, and below the system's folder; the CRC of .gnu_debuglink or
 * the build-id is checked by libdw. */
static char debug_path[] = ":.debug:/usr/lib/debug";
static char *debug_path_pointer = debug_path;
static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                         .find_debuginfo = dwfl_standard_find_debuginfo,
                                         .debuginfo_path = &debug_path_pointer};

/* Says whether the file's build-id is that of the module that ran; a module without one matches a file without one. */
static bool is_same_file(int fd, const struct gmt_module *module)
{
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    const void *id = NULL;
    ssize_t bytes = elf ? dwelf_elf_gnu_build_id(elf, &id) : 0;
    if (bytes < 0)
        bytes = 0;
    if (bytes > (ssize_t)sizeof module->build_id)
        bytes = sizeof module->build_id; /* as much as the trace file keeps */
    bool same = (size_t)bytes == module->build_id_bytes && memcmp(id ? id : "", module->build_id, (size_t)bytes) == 0;
    elf_end(elf);
    return same;
}

/* Opens a regular file that was given by an absolute path; anything else would be named by the trace file's author. */
static int open_regular(const char *path, const char **trouble_out)
{
    struct stat status;
    *trouble_out = "no file";
    if (path[0] != '/')
        return -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    *trouble_out = "the file is gone or cannot be read";
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

void gmt_module_file_open(const struct gmt_module *module, struct gmt_module_file *file_out)
{
    *file_out = (struct gmt_module_file){.path = module->path, .build_id_hex = module->build_id_hex};
    elf_version(EV_CURRENT);
    int fd = open_regular(module->path, &file_out->trouble);
    if (fd < 0)
        return;
    if (!is_same_file(fd, module)) {
        file_out->trouble = "this file is not the one that ran";
        close(fd);
        return;
    }
    file_out->trouble = "the file cannot be read as ELF";
    file_out->dwfl = dwfl_begin(&callbacks);
    dwfl_report_begin(file_out->dwfl);
    file_out->module = dwfl_report_elf(file_out->dwfl, module->path, module->path, fd, 0, true);
    dwfl_report_end(file_out->dwfl, NULL, NULL);
    if (!file_out->module) {
        close(fd);
        dwfl_end(file_out->dwfl);
        file_out->dwfl = NULL;
        return;
    }
    file_out->trouble = NULL;
    gmt_symbol_table_fill(&file_out->symbols, file_out->module);
}

void gmt_module_file_close(struct gmt_module_file *file)
{
    gmt_symbol_table_drop(&file->symbols);
    free(file->ranges);
    if (file->dwfl)
        dwfl_end(file->dwfl);
}

static int by_low(const void *a, const void *b)
{
    const struct gmt_unit_range *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

static void add_range(struct gmt_module_file *file, size_t *capacity, uint64_t low, uint64_t high, Dwarf_Off unit)
{
    if (file->range_count == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 256;
        file->ranges = realloc(file->ranges, *capacity * sizeof *file->ranges);
        if (!file->ranges)
            gmt_heap_exhausted();
    }
    file->ranges[file->range_count++] = (struct gmt_unit_range){low, high, unit};
}

/* clang writes no .debug_aranges, which libdw's index is made from: the units' own ranges are as good. */
static void fill_ranges(struct gmt_module_file *file)
{
    size_t capacity = 0;
    Dwarf_Addr bias;
    for (Dwarf_Die *unit = dwfl_module_nextcu(file->module, NULL, &bias); unit;
         unit = dwfl_module_nextcu(file->module, unit, &bias)) {
        Dwarf_Addr base, low, high;
        for (ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &low, &high)) > 0;)
            add_range(file, &capacity, low + bias, high + bias, dwarf_dieoffset(unit));
    }
    if (file->range_count)
        qsort(file->ranges, file->range_count, sizeof *file->ranges, by_low);
    file->has_ranges = true;
}

static const struct gmt_unit_range *find_range(struct gmt_module_file *file, uint64_t address)
{
    if (!file->has_ranges)
        fill_ranges(file);
    size_t low = 0, high = file->range_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (file->ranges[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address < file->ranges[low - 1].high ? &file->ranges[low - 1] : NULL;
}

bool gmt_module_file_unit(struct gmt_module_file *file, uint64_t address, Dwarf_Die *unit_out, Dwarf_Addr *bias_out)
{
    Dwarf_Die *unit = dwfl_module_addrdie(file->module, address, bias_out);
    if (unit) {
        *unit_out = *unit;
        return true;
    }
    Dwarf *dwarf = dwfl_module_getdwarf(file->module, bias_out);
    const struct gmt_unit_range *range = dwarf ? find_range(file, address) : NULL;
    return range && dwarf_offdie(dwarf, range->unit, unit_out) != NULL;
}

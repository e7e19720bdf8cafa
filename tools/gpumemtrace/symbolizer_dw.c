#include "symbolizer_dw.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "demangled.h"
#include "module_file.h"

struct symbolizer_dw {
    struct gmt_symbolizer base;
    struct gmt_heap *heap;
    struct gmt_module_file *files;
};

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Known already, or NULL. Processes of one run share most of their modules, each with records of its own. */
static struct gmt_module_file *known_file(const struct symbolizer_dw *self, const struct gmt_module *module)
{
    struct gmt_module_file *file = self->files;
    while (file && !(is_same_text(file->path, module->path) && is_same_text(file->build_id_hex, module->build_id_hex)))
        file = file->next;
    return file;
}

static struct gmt_module_file *open_file(struct symbolizer_dw *self, const struct gmt_module *module)
{
    struct gmt_module_file *file = known_file(self, module);
    if (file)
        return file;
    file = gmt_heap_take(self->heap, 1, sizeof *file);
    gmt_module_file_open(module, file);
    file->next = self->files;
    self->files = file;
    return file;
}

/* The function's name: the linkage name, demangled, says its namespace and class; DW_AT_name does not. */
static const char *function_name(struct symbolizer_dw *self, Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *linkage = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    if (!linkage)
        linkage = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute));
    if (linkage)
        return gmt_demangled(linkage, self->heap);
    return gmt_heap_copy(self->heap, dwarf_diename(die));
}

struct location {
    const char *file;
    uint32_t line;
};

static struct location line_of(struct symbolizer_dw *self, Dwarf_Die *unit, Dwarf_Addr address)
{
    struct location location = {NULL, 0};
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    int number;
    if (!line || dwarf_lineno(line, &number) != 0 || number <= 0)
        return location;
    location.file = gmt_heap_copy(self->heap, dwarf_linesrc(line, NULL, NULL));
    location.line = location.file ? (uint32_t)number : 0;
    return location;
}

/* Where an inlined function was called from. */
static struct location call_of(struct symbolizer_dw *self, Dwarf_Die *unit, Dwarf_Die *inlined)
{
    struct location location = {NULL, 0};
    Dwarf_Attribute attribute;
    Dwarf_Word file, line;
    Dwarf_Files *files;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0 || line > INT32_MAX ||
        dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_getsrcfiles(unit, &files, NULL) != 0)
        return location;
    location.file = gmt_heap_copy(self->heap, dwarf_filesrc(files, file, NULL, NULL));
    location.line = location.file ? (uint32_t)line : 0;
    return location;
}

/* Walks outward from the innermost scope: each inlined function ends where it was called, the function itself last. */
static size_t name_scopes(struct symbolizer_dw *self, Dwarf_Die *unit, Dwarf_Die *scopes, int scope_count,
                          struct location location, struct gmt_symbol *symbols_out)
{
    size_t count = 0;
    for (int i = 0; i < scope_count; i++) {
        int tag = dwarf_tag(&scopes[i]);
        bool inlined = tag == DW_TAG_inlined_subroutine;
        if (!inlined && tag != DW_TAG_subprogram)
            continue;
        const char *name = function_name(self, &scopes[i]);
        if (!inlined && !name)
            return 0;
        if (!inlined || count < GMT_SYMBOLS_MAX - 1)
            symbols_out[count++] =
                (struct gmt_symbol){name ? name : "an unnamed function", location.file, location.line, inlined};
        if (!inlined)
            return count;
        location = call_of(self, unit, &scopes[i]);
    }
    return 0; /* no function around it: the symbol table may know better */
}

static size_t name_by_dwarf(struct symbolizer_dw *self, struct gmt_module_file *file, uint64_t address,
                            struct location *location_out, struct gmt_symbol *symbols_out)
{
    Dwarf_Die unit;
    Dwarf_Addr bias;
    Dwarf_Die *innermost = NULL, *scopes = NULL;
    size_t count = 0;
    if (!gmt_module_file_unit(file, address, &unit, &bias))
        return 0;
    *location_out = line_of(self, &unit, address - bias);
    /* dwarf_getscopes leaves the caller of an inlined function out; the path from the innermost scope has it. */
    if (dwarf_getscopes(&unit, address - bias, &innermost) > 0) {
        int scope_count = dwarf_getscopes_die(&innermost[0], &scopes);
        count = name_scopes(self, &unit, scopes, scope_count, *location_out, symbols_out);
    }
    free(innermost);
    free(scopes);
    return count;
}

static size_t name(struct gmt_symbolizer *base, const struct gmt_module *module, uint64_t offset,
                   struct gmt_symbol *symbols_out)
{
    struct symbolizer_dw *self = (struct symbolizer_dw *)base;
    struct gmt_module_file *file = open_file(self, module);
    struct location location = {NULL, 0};
    if (!file->dwfl)
        return 0;
    size_t count = name_by_dwarf(self, file, offset, &location, symbols_out);
    if (count > 0)
        return count;
    const char *symbol = gmt_symbol_table_find(&file->symbols, offset);
    if (!symbol)
        return 0;
    symbols_out[0] = (struct gmt_symbol){gmt_demangled(symbol, self->heap), location.file, location.line, false};
    return 1;
}

static const char *trouble(struct gmt_symbolizer *base, const struct gmt_module *module)
{
    const struct gmt_module_file *file = known_file((struct symbolizer_dw *)base, module);
    return file ? file->trouble : NULL;
}

struct gmt_symbolizer *gmt_symbolizer_dw_open(struct gmt_heap *heap)
{
    struct symbolizer_dw *self = gmt_heap_take(heap, 1, sizeof *self);
    self->base.name = name;
    self->base.trouble = trouble;
    self->heap = heap;
    return &self->base;
}

void gmt_symbolizer_dw_close(struct gmt_symbolizer *symbolizer)
{
    struct symbolizer_dw *self = (struct symbolizer_dw *)symbolizer;
    for (struct gmt_module_file *file = self->files; file; file = file->next)
        gmt_module_file_close(file);
    self->files = NULL;
}

#include "symbolizer_dw.h"

#include <dwarf.h>
#include <string.h>

#include "demangled.h"
#include "module_file.h"
#include "perf_map.h"

struct symbolizer_dw {
    struct gmt_symbolizer base;
    struct gmt_heap *heap;
    const struct gmt_symbol_search *search;
    struct gmt_module_file *files;   /* every one that was ever opened, for its trouble */
    struct gmt_module_file *current; /* the one that is open, or NULL: a process may have more than memory can hold */
};

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_file_of(const struct gmt_module_file *file, const struct gmt_module *module)
{
    return is_same_text(file->path, module->path) && is_same_text(file->build_id_hex, module->build_id_hex);
}

/* Known already, or NULL. Processes of one run share most of their modules, each with records of its own. */
static struct gmt_module_file *known_file(const struct symbolizer_dw *self, const struct gmt_module *module)
{
    struct gmt_module_file *file = self->files;
    while (file && !is_file_of(file, module))
        file = file->next;
    return file;
}

static struct gmt_module_file *open_file(struct symbolizer_dw *self, const struct gmt_module *module)
{
    if (self->current && is_file_of(self->current, module))
        return self->current;
    if (self->current)
        gmt_module_file_close(self->current);
    struct gmt_module_file *file = known_file(self, module);
    struct gmt_module_file *next = file ? file->next : self->files;
    if (!file) {
        file = gmt_heap_take(self->heap, 1, sizeof *file);
        self->files = file;
    }
    gmt_module_file_open(module, self->search, self->heap, file);
    file->next = next;
    self->current = file;
    return file;
}

/* The function's name: the linkage name, demangled, says its namespace and class; DW_AT_name does not. `symbol` is what
 * the symbol table says, or NULL: functions that no other unit sees, lambdas among them, have their linkage name there
 * only. */
static const char *function_name(struct symbolizer_dw *self, Dwarf_Die *die, const char *symbol)
{
    Dwarf_Attribute attribute;
    const char *linkage = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    if (!linkage)
        linkage = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute));
    if (!linkage && symbol && symbol[0] == '_' && (symbol[1] == 'Z' || symbol[1] == 'R'))
        linkage = symbol;
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

/* Blocks and inlined functions nest; a damaged file may nest them without end. */
#define SCOPES_MAX 256

/* The child of `scope` that contains the address and leads on to inlined functions. */
static bool enter(Dwarf_Die *scope, Dwarf_Addr address)
{
    Dwarf_Die child;
    if (dwarf_child(scope, &child) != 0)
        return false;
    do {
        int tag = dwarf_tag(&child);
        if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) && dwarf_haspc(&child, address) > 0) {
            *scope = child;
            return true;
        }
    } while (gmt_die_advance(&child));
    return false;
}

/* Each inlined function ends where it was called, the function itself last. */
static size_t name_scopes(struct symbolizer_dw *self, Dwarf_Die *unit, Dwarf_Die *function, Dwarf_Addr address,
                          const char *symbol, struct location location, struct gmt_symbol *symbols_out)
{
    Dwarf_Die inlined[SCOPES_MAX];
    Dwarf_Die scope = *function;
    unsigned inlined_count = 0;
    for (unsigned i = 0; i < SCOPES_MAX && enter(&scope, address); i++)
        if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine)
            inlined[inlined_count++] = scope;
    const char *name = function_name(self, function, symbol);
    if (!name)
        return 0;
    size_t count = 0;
    for (unsigned i = inlined_count; i > 0; i--) {
        Dwarf_Die *each = &inlined[i - 1];
        const char *inlined_name = function_name(self, each, NULL);
        if (count < GMT_SYMBOLS_MAX - 1)
            symbols_out[count++] = (struct gmt_symbol){inlined_name ? inlined_name : "an unnamed function",
                                                       location.file, location.line, true};
        location = call_of(self, unit, each);
    }
    symbols_out[count++] = (struct gmt_symbol){name, location.file, location.line, false};
    return count;
}

static size_t name_by_dwarf(struct symbolizer_dw *self, struct gmt_module_file *file, uint64_t address,
                            struct location *location_out, struct gmt_symbol *symbols_out)
{
    Dwarf_Die unit, function;
    Dwarf_Addr bias;
    if (!gmt_unit_index_unit(&file->units, file->module, address, &unit, &bias))
        return 0;
    *location_out = line_of(self, &unit, address - bias);
    if (!gmt_unit_index_function(&file->units, &unit, address - bias, &function))
        return 0; /* no function around it: the symbol table may know better */
    return name_scopes(self, &unit, &function, address - bias, gmt_symbol_table_find(&file->symbols, address),
                       *location_out, symbols_out);
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

static const char *trouble(struct gmt_symbolizer *base, const struct gmt_module *module, bool *lines_only_out)
{
    const struct gmt_module_file *file = known_file((struct symbolizer_dw *)base, module);
    *lines_only_out = file && file->lacks_lines_only;
    return file ? file->trouble : NULL;
}

static const char *name_jit(struct gmt_symbolizer *base, const struct gmt_process *process, const uint64_t *addresses,
                            size_t count, const char **names_out)
{
    struct symbolizer_dw *self = (struct symbolizer_dw *)base;
    return gmt_perf_map_name(self->search->sysroot, process, addresses, count, names_out, self->heap);
}

struct gmt_symbolizer *gmt_symbolizer_dw_open(const struct gmt_symbol_search *search, struct gmt_heap *heap)
{
    struct symbolizer_dw *self = gmt_heap_take(heap, 1, sizeof *self);
    self->base.name = name;
    self->base.trouble = trouble;
    self->base.name_jit = name_jit;
    self->heap = heap;
    self->search = search;
    return &self->base;
}

void gmt_symbolizer_dw_close(struct gmt_symbolizer *symbolizer)
{
    struct symbolizer_dw *self = (struct symbolizer_dw *)symbolizer;
    if (self->current)
        gmt_module_file_close(self->current);
    self->current = NULL;
}

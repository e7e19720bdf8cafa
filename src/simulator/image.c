/* Reads just enough of device code to know what it defines. Layouts: ELF64 from elf.h; the fat binary's headers as
 * found in the objects that nvcc 13.0 writes.
 */
#include "simulator/image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "simulator/text_image.h"

#define WRAPPER_MAGIC 0x466243b1u
#define FAT_MAGIC 0xba55ed50u

struct wrapper {
    uint32_t magic, version;
    const void *data;
    const void *file;
};

struct fat_header {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes; /* after the header */
};

struct fat_entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t bytes; /* after the entry's header */
    uint32_t compressed_bytes, unknown1;
    uint16_t minor, major;
    uint32_t architecture, name_offset, name_bytes;
    uint64_t flags;
};

enum { FAT_ELF = 2 };

static uint32_t magic_of(const void *image)
{
    uint32_t magic;
    memcpy(&magic, image, sizeof magic);
    return magic;
}

static bool is_elf(const void *image)
{
    return memcmp(image, ELFMAG, SELFMAG) == 0;
}

/* Text begins with a directive or a comment, after white space. */
static bool is_text(const void *image)
{
    const char *text = (const char *)image + strspn(image, " \t\r\n");
    return strncmp(text, "//", 2) == 0 || strncmp(text, "/*", 2) == 0 || strncmp(text, ".version", 8) == 0;
}

static const void *unwrap(const void *image)
{
    struct wrapper wrapper;
    if (magic_of(image) != WRAPPER_MAGIC)
        return image;
    memcpy(&wrapper, image, sizeof wrapper);
    return wrapper.data;
}

bool gmt_sim_image_valid(const void *image)
{
    if (!image)
        return false;
    image = unwrap(image);
    return image && (magic_of(image) == FAT_MAGIC || is_elf(image) || is_text(image));
}

/* What a walk over the parts of an image looks for, and finds. */
struct search {
    const char *name;              /* NULL: every variable, */
    gmt_sim_variable_visit *visit; /* which this is called for */
    void *argument;
    bool ended;           /* by a visit */
    unsigned char type;   /* STT_FUNC or STT_OBJECT */
    bool found, readable; /* readable: at least one ELF file was searched */
    struct gmt_sim_image_variable variable;
    struct gmt_sim_image_kernel kernel;
};

/* Attributes of kernels in the section .nv.info: format, attribute, bytes of the value, then symbol and figure. */
struct info {
    uint8_t format, attribute;
    uint16_t bytes;
    uint32_t symbol, figure;
};

enum { INFO_SIZED = 4, INFO_STACK = 0x12, INFO_REGISTERS = 0x2f };

static void read_info(const char *elf, const Elf64_Shdr *section, uint32_t symbol, struct gmt_sim_image_kernel *kernel)
{
    const char *at = elf + section->sh_offset, *end = at + section->sh_size;
    while (at + 4 <= end) {
        struct info info = {0};
        memcpy(&info, at, at + sizeof info <= end ? sizeof info : 4);
        if (info.format == INFO_SIZED && info.bytes == 8 && info.symbol == symbol) {
            if (info.attribute == INFO_STACK)
                kernel->local_bytes = info.figure;
            if (info.attribute == INFO_REGISTERS)
                kernel->registers = (int)info.figure;
        }
        at += 4 + (info.format == INFO_SIZED ? info.bytes : 0);
    }
}

/* The attributes of one kernel, in the section of all; every kernel has one of its own beside it with other things. */
static void search_info(const char *elf, uint32_t symbol, struct search *search)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(elf + header->e_shoff);
    const char *names = elf + sections[header->e_shstrndx].sh_offset;
    for (int i = 0; i < header->e_shnum; i++) {
        if (strcmp(names + sections[i].sh_name, ".nv.info") == 0)
            read_info(elf, &sections[i], symbol, &search->kernel);
    }
}

/* Global and constant memory; what else has a size is shared memory or a parameter of the compiler's own. */
static bool in_device_memory(const char *elf, const Elf64_Shdr *section)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(elf + header->e_shoff);
    const char *name = elf + sections[header->e_shstrndx].sh_offset + section->sh_name;
    return strncmp(name, ".nv.global", 10) == 0 || strcmp(name, ".nv.constant3") == 0;
}

/* The section of a symbol that is looked for; NULL for another symbol. */
static const Elf64_Shdr *home_of(const char *elf, const Elf64_Shdr *sections, const Elf64_Sym *symbol, const char *name,
                                 const struct search *search)
{
    if (ELF64_ST_TYPE(symbol->st_info) != search->type || (search->name && strcmp(name, search->name) != 0) ||
        symbol->st_shndx >= SHN_LORESERVE || symbol->st_shndx == SHN_UNDEF)
        return NULL;
    const Elf64_Shdr *home = &sections[symbol->st_shndx];
    return search->name || in_device_memory(elf, home) ? home : NULL;
}

static void search_symbols(const char *elf, const Elf64_Shdr *sections, int section, struct search *search)
{
    const Elf64_Shdr *table = &sections[section];
    const Elf64_Sym *symbols = (const Elf64_Sym *)(elf + table->sh_offset);
    const char *names = elf + sections[table->sh_link].sh_offset;
    for (uint64_t i = 0; i < table->sh_size / sizeof *symbols && !search->ended; i++) {
        const Elf64_Sym *symbol = &symbols[i];
        const char *name = names + symbol->st_name;
        const Elf64_Shdr *home = home_of(elf, sections, symbol, name, search);
        if (!home)
            continue;
        search->found = true;
        if (search->type == STT_FUNC)
            search_info(elf, (uint32_t)i, search);
        search->variable.bytes = symbol->st_size;
        search->variable.contents = home->sh_type == SHT_NOBITS ? NULL : elf + home->sh_offset + symbol->st_value;
        search->ended =
            search->visit && symbol->st_size > 0 && !search->visit(name, &search->variable, search->argument);
    }
}

static void search_elf(const char *elf, struct search *search)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(elf + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type == SHT_SYMTAB)
            search_symbols(elf, sections, i, search);
    }
    search->readable = true;
}

static void search_fat(const char *fat, struct search *search)
{
    const struct fat_header *header = (const struct fat_header *)fat;
    const char *at = fat + header->header_bytes, *end = at + header->bytes;
    while (at < end) {
        const struct fat_entry *entry = (const struct fat_entry *)at;
        const char *contents = at + entry->header_bytes;
        if (entry->kind == FAT_ELF && is_elf(contents))
            search_elf(contents, search);
        at = contents + entry->bytes;
        if (entry->header_bytes == 0)
            break;
    }
}

static void search_image(const void *image, struct search *search)
{
    image = unwrap(image);
    if (is_elf(image))
        search_elf(image, search);
    else if (magic_of(image) == FAT_MAGIC)
        search_fat(image, search);
}

bool gmt_sim_image_find_kernel(const void *image, const char *name, struct gmt_sim_image_kernel *kernel_out)
{
    struct search search = {.name = name, .type = STT_FUNC};
    search_image(image, &search);
    *kernel_out = search.found ? search.kernel : (struct gmt_sim_image_kernel){.registers = 16};
    if (is_text(unwrap(image)))
        return strstr(unwrap(image), name) != NULL;
    return search.found || !search.readable;
}

bool gmt_sim_image_visit_variables(const void *image, gmt_sim_variable_visit *visit, void *argument)
{
    struct search search = {.type = STT_OBJECT, .visit = visit, .argument = argument};
    if (is_text(unwrap(image)))
        return gmt_sim_text_visit_variables(unwrap(image), visit, argument);
    search_image(image, &search);
    return !search.ended;
}

struct wanted {
    const char *name;
    struct gmt_sim_image_variable *variable_out;
};

static bool take_if_wanted(const char *name, const struct gmt_sim_image_variable *variable, void *argument)
{
    const struct wanted *wanted = argument;
    bool found = strcmp(name, wanted->name) == 0;
    if (found)
        *wanted->variable_out = *variable;
    return !found;
}

bool gmt_sim_image_find_variable(const void *image, const char *name, struct gmt_sim_image_variable *variable_out)
{
    struct wanted wanted = {name, variable_out};
    struct search search = {.name = name, .type = STT_OBJECT};
    if (is_text(unwrap(image)))
        return !gmt_sim_text_visit_variables(unwrap(image), take_if_wanted, &wanted);
    search_image(image, &search);
    *variable_out = search.variable;
    return search.found;
}

static size_t elf_bytes(const char *elf)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(elf + header->e_shoff);
    size_t bytes = header->e_shoff + (size_t)header->e_shnum * sizeof *sections;
    for (int i = 0; i < header->e_shnum; i++) {
        size_t end = sections[i].sh_type == SHT_NOBITS ? 0 : sections[i].sh_offset + sections[i].sh_size;
        bytes = end > bytes ? end : bytes;
    }
    size_t programs = header->e_phoff + (size_t)header->e_phnum * header->e_phentsize;
    return programs > bytes ? programs : bytes;
}

void *gmt_sim_image_copy(const void *image)
{
    size_t bytes;
    image = unwrap(image);
    if (is_elf(image))
        bytes = elf_bytes(image);
    else if (magic_of(image) == FAT_MAGIC)
        bytes = ((const struct fat_header *)image)->header_bytes + ((const struct fat_header *)image)->bytes;
    else
        bytes = strlen(image) + 1;
    void *copy = malloc(bytes < 16 ? 16 : bytes);
    return copy ? memcpy(copy, image, bytes) : NULL;
}

#include "elf_program.h"

#include <gelf.h>
#include <stdio.h>
#include <string.h>

/* A message that every version of the runtime carries in its read-only data, and nothing else does. Symbols do not
 * serve: a stripped program has none. In two parts, or this command would carry it, too. */
static const char cudart_mark_start[] = "CUDA driver version is insufficient ";
static const char cudart_mark_end[] = "for CUDA runtime version";

unsigned gmt_elf_machine_here(void)
{
#if defined(__x86_64__)
    return EM_X86_64;
#elif defined(__aarch64__)
    return EM_AARCH64;
#else
#error "add the ELF machine of this architecture"
#endif
}

const char *gmt_elf_machine_name(unsigned machine)
{
    static char other[32];
    static const struct {
        unsigned machine;
        const char *name;
    } names[] = {{EM_X86_64, "x86-64"}, {EM_386, "i386"},     {EM_AARCH64, "AArch64"}, {EM_ARM, "32-bit Arm"},
                 {EM_PPC64, "PowerPC"}, {EM_RISCV, "RISC-V"}, {EM_S390, "S/390"}};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].machine == machine)
            return names[i].name;
    snprintf(other, sizeof other, "machine %u", machine);
    return other;
}

static void copy_name(char *name_out, const char *name)
{
    if (name)
        snprintf(name_out, GMT_ELF_NAME_BYTES, "%s", name);
}

static bool starts_with(const char *string, const char *start)
{
    return string && strncmp(string, start, strlen(start)) == 0;
}

/* The dynamic section is found by its header; a program without section headers (sstrip) is taken as it comes. */
static void read_dynamic(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, struct gmt_elf_program *program)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Dyn entry;
        if (!gelf_getdyn(data, (int)i, &entry))
            return;
        if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_SONAME)
            continue;
        const char *name = elf_strptr(elf, header->sh_link, entry.d_un.d_val);
        if (entry.d_tag == DT_SONAME)
            program->is_loader =
                starts_with(name, "ld-linux") || starts_with(name, "ld64.so") || starts_with(name, "ld.so");
        else if (starts_with(name, "libasan.so") || starts_with(name, "libtsan.so"))
            copy_name(program->sanitizer, name);
        else if (starts_with(name, "libcudart.so"))
            copy_name(program->cudart, name);
    }
}

static void read_sections(Elf *elf, struct gmt_elf_program *program)
{
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNAMIC)
            read_dynamic(elf, section, &header, program);
    }
}

static bool has_cudart_mark(const char *start, size_t bytes)
{
    size_t first = sizeof cudart_mark_start - 1;
    size_t second = sizeof cudart_mark_end - 1;
    const char *end = start + bytes;
    const char *found;
    for (; (found = memmem(start, (size_t)(end - start), cudart_mark_start, first)); start = found + 1)
        if ((size_t)(end - found) >= first + second && memcmp(found + first, cudart_mark_end, second) == 0)
            return true;
    return false;
}

static void read_segments(Elf *elf, struct gmt_elf_program *program)
{
    size_t count = 0, bytes = 0;
    const char *image = elf_rawfile(elf, &bytes);
    if (elf_getphdrnum(elf, &count) != 0 || !image)
        return;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(elf, (int)i, &header) || header.p_offset > bytes || header.p_filesz > bytes - header.p_offset)
            continue;
        const char *start = image + header.p_offset;
        if (header.p_type == PT_INTERP && header.p_filesz > 1 && header.p_filesz <= GMT_ELF_NAME_BYTES)
            snprintf(program->interpreter, GMT_ELF_NAME_BYTES, "%.*s", (int)header.p_filesz - 1, start);
        if (header.p_type == PT_LOAD && has_cudart_mark(start, header.p_filesz))
            program->has_static_cudart = true;
    }
}

void gmt_elf_program_read(int fd, struct gmt_elf_program *program_out)
{
    *program_out = (struct gmt_elf_program){.is_elf = false};
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    GElf_Ehdr header;
    if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header)) {
        program_out->is_elf = true;
        program_out->bits = gelf_getclass(elf) == ELFCLASS64 ? 64 : 32;
        program_out->machine = header.e_machine;
        read_segments(elf, program_out);
        read_sections(elf, program_out);
    }
    elf_end(elf);
}

#include "elf_identity.h"

#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static bool has_debug_information(Elf *elf)
{
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return false;
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS || header.sh_size == 0)
            continue;
        const char *name = elf_strptr(elf, names, header.sh_name);
        if (name && (strcmp(name, ".debug_info") == 0 || strcmp(name, ".zdebug_info") == 0))
            return true;
    }
    return false;
}

static void read_elf(Elf *elf, struct gmt_elf_identity *identity)
{
    const void *id = NULL;
    ssize_t bytes = dwelf_elf_gnu_build_id(elf, &id);
    if (bytes > (ssize_t)sizeof identity->build_id)
        bytes = sizeof identity->build_id;
    if (bytes > 0) {
        memcpy(identity->build_id, id, (size_t)bytes);
        identity->build_id_bytes = (unsigned)bytes;
    }
    GElf_Word crc = 0;
    const char *link = dwelf_elf_gnu_debuglink(elf, &crc);
    if (link && !strchr(link, '/') && strlen(link) < sizeof identity->debuglink) {
        strcpy(identity->debuglink, link);
        identity->debuglink_crc = crc;
    }
    identity->has_debug_information = has_debug_information(elf);
}

void gmt_elf_identity_read(int fd, struct gmt_elf_identity *identity_out)
{
    *identity_out = (struct gmt_elf_identity){.is_elf = false};
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (elf && elf_kind(elf) == ELF_K_ELF) {
        identity_out->is_elf = true;
        read_elf(elf, identity_out);
    }
    elf_end(elf);
}

bool gmt_elf_identity_has_build_id(const struct gmt_elf_identity *identity, const uint8_t *build_id, unsigned bytes)
{
    return identity->build_id_bytes == bytes && memcmp(identity->build_id, build_id, bytes) == 0;
}

/* The checksum of .gnu_debuglink is the one of zlib, over every byte of the file. */
bool gmt_elf_has_crc(int fd, uint32_t crc)
{
    static unsigned char buffer[1 << 16];
    uLong sum = crc32(0, NULL, 0);
    off_t at = 0;
    ssize_t got;
    while ((got = pread(fd, buffer, sizeof buffer, at)) > 0) {
        sum = crc32(sum, buffer, (uInt)got);
        at += got;
    }
    return got == 0 && at > 0 && sum == crc;
}

/* What tells whether an ELF file is the one that ran, or the debug information of it. */
#ifndef GMT_TOOLS_ELF_IDENTITY_H
#define GMT_TOOLS_ELF_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

struct gmt_elf_identity {
    bool is_elf;
    uint8_t build_id[20]; /* as much as the trace file keeps */
    unsigned build_id_bytes;
    char debuglink[256]; /* name in .gnu_debuglink, without a folder; "" without one */
    uint32_t debuglink_crc;
    bool has_debug_information; /* of its own: .debug_info with contents */
};

/* Reads the file behind `fd`. What is damaged counts as absent. */
void gmt_elf_identity_read(int fd, struct gmt_elf_identity *identity_out);

bool gmt_elf_identity_has_build_id(const struct gmt_elf_identity *identity, const uint8_t *build_id, unsigned bytes);

/* Whether the whole file has the checksum that a .gnu_debuglink names. */
bool gmt_elf_has_crc(int fd, uint32_t crc);

#endif

/* What the loader will make of an ELF program: read from its file, before it is started. */
#ifndef GMT_TOOLS_ELF_PROGRAM_H
#define GMT_TOOLS_ELF_PROGRAM_H

#include <stdbool.h>

#define GMT_ELF_NAME_BYTES 256

struct gmt_elf_program {
    bool is_elf;
    int bits;                             /* 32 or 64 */
    unsigned machine;                     /* EM_… */
    bool is_loader;                       /* the dynamic loader itself, as in ld-linux-x86-64.so.2 ./app */
    char interpreter[GMT_ELF_NAME_BYTES]; /* "" without one: a static program */
    char sanitizer[GMT_ELF_NAME_BYTES];   /* the libasan or libtsan that it needs, or "" */
    char cudart[GMT_ELF_NAME_BYTES];      /* the libcudart.so that it needs, or "" */
    bool has_static_cudart;               /* the runtime is linked into it */
};

/* Reads the file behind `fd`. What is damaged counts as absent. */
void gmt_elf_program_read(int fd, struct gmt_elf_program *program_out);

/* "x86-64", "AArch64", …, "machine 40". */
const char *gmt_elf_machine_name(unsigned machine);

/* The machine this command was built for. */
unsigned gmt_elf_machine_here(void);

#endif

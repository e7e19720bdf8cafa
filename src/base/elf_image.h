/* Our own look-up of symbols in loaded ELF images, for places where the loader's functions must not be called: they
 * would find our own exports, block on the loader's lock in constructors, miss libraries opened RTLD_LOCAL, and leave
 * their text in the program's dlerror(). Nothing here allocates or calls libc, except gmt_elf_each (dl_iterate_phdr).
 */
#ifndef GMT_BASE_ELF_IMAGE_H
#define GMT_BASE_ELF_IMAGE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One loaded object's tables; pointers into the mapped object, valid while it stays loaded. */
struct gmt_elf_image {
    uintptr_t base;     /* what to add to a symbol's value */
    const char *soname; /* DT_SONAME, or NULL */
    const ElfW(Sym) * symbols;
    const char *strings;
    const uint32_t *gnu_hash;      /* DT_GNU_HASH, or NULL */
    const uint32_t *sysv_hash;     /* DT_HASH, or NULL */
    const ElfW(Versym) * versions; /* or NULL */
};

/* Fills `image_out` from an object's dynamic section. False when it has no usable symbol table. */
bool gmt_elf_image_open(uintptr_t base, const ElfW(Dyn) * dynamic, struct gmt_elf_image *image_out);

/* Address of the default version of the exported function `name`, or NULL. */
void *gmt_elf_image_find(const struct gmt_elf_image *image, const char *name);

/* Address of libc's own `name` (also in libdl before glibc 2.34), found by walking the loader's list. For the dlsym
 * door, which runs so early that dl_iterate_phdr may itself be intercepted. NULL when there is none. */
void *gmt_elf_libc_symbol(const char *name);

/* The handle with which libc's dlsym searches the object that `address` lies in, and what that object needs; NULL when
 * no object is there. */
void *gmt_elf_handle_of(const void *address);

/* Calls `visit` for each loaded object in link-map order until it returns non-zero; returns that value. The loader's
 * module lock is held meanwhile: `visit` must not call the loader. */
int gmt_elf_each(int (*visit)(const struct gmt_elf_image *image, const struct dl_phdr_info *info, void *argument),
                 void *argument);

/* For pthread_atfork: no thread is inside of gmt_elf_each while the process forks. The loader's module lock is not
 * renewed in a fork child: held by a thread that is not there, it would stop the child's first walk for ever. */
void gmt_elf_before_fork(void);
void gmt_elf_after_fork_in_parent(void);
void gmt_elf_after_fork_in_child(void);

/* True when `address` lies in a loadable segment of the object. */
bool gmt_elf_contains(const struct dl_phdr_info *info, uintptr_t address);

/* True when both strings are equal. */
bool gmt_elf_name_equals(const char *a, const char *b);

#endif

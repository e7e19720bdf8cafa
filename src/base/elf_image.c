/* Symbol look-up by DT_GNU_HASH and DT_HASH, as in the System V ABI and "GNU Hash ELF Sections" (binutils).
 * Built without sanitizers and without built-ins, because the dlsym door comes through here before anything is ready.
 */
#include "base/elf_image.h"

#include "base/syscall.h"

#include <time.h>

extern struct r_debug _r_debug;

/* Threads that are inside dl_iterate_phdr, and threads that are about to fork. Either side waits for the other, but not
 * for ever: a signal handler can be both. */
static uint32_t iterating, forking;

#define NAP_NS 50000
#define MOST_NAPS 2000

static void nap(void)
{
    struct timespec time = {.tv_nsec = NAP_NS};
    gmt_syscall(SYS_nanosleep, &time, NULL);
}

void gmt_elf_before_fork(void)
{
    __atomic_fetch_add(&forking, 1, __ATOMIC_SEQ_CST);
    for (unsigned naps = 0; naps < MOST_NAPS && __atomic_load_n(&iterating, __ATOMIC_SEQ_CST); naps++)
        nap();
}

void gmt_elf_after_fork_in_parent(void)
{
    __atomic_fetch_sub(&forking, 1, __ATOMIC_SEQ_CST);
}

void gmt_elf_after_fork_in_child(void)
{
    __atomic_store_n(&forking, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&iterating, 0, __ATOMIC_SEQ_CST);
}

static int iterate(int (*visit)(struct dl_phdr_info *info, size_t bytes, void *argument), void *argument)
{
    for (unsigned naps = 0;; naps++) {
        __atomic_fetch_add(&iterating, 1, __ATOMIC_SEQ_CST);
        if (naps == MOST_NAPS || !__atomic_load_n(&forking, __ATOMIC_SEQ_CST))
            break;
        __atomic_fetch_sub(&iterating, 1, __ATOMIC_SEQ_CST);
        nap();
    }
    int result = dl_iterate_phdr(visit, argument);
    __atomic_fetch_sub(&iterating, 1, __ATOMIC_SEQ_CST);
    return result;
}

bool gmt_elf_name_equals(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

/* glibc relocates most pointers of a dynamic section in place, but not the kernel's (vdso): those are still offsets. */
static const void *dynamic_pointer(uintptr_t base, const ElfW(Dyn) * entry)
{
    uintptr_t value = entry->d_un.d_ptr;
    return (const void *)(value < base ? value + base : value);
}

bool gmt_elf_image_open(uintptr_t base, const ElfW(Dyn) * dynamic, struct gmt_elf_image *image_out)
{
    struct gmt_elf_image image = {.base = base};
    const ElfW(Dyn) *soname = NULL;
    for (const ElfW(Dyn) *entry = dynamic; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_SYMTAB:
            image.symbols = dynamic_pointer(base, entry);
            break;
        case DT_STRTAB:
            image.strings = dynamic_pointer(base, entry);
            break;
        case DT_GNU_HASH:
            image.gnu_hash = dynamic_pointer(base, entry);
            break;
        case DT_HASH:
            image.sysv_hash = dynamic_pointer(base, entry);
            break;
        case DT_VERSYM:
            image.versions = dynamic_pointer(base, entry);
            break;
        case DT_SONAME:
            soname = entry;
            break;
        default:
            break;
        }
    }
    if (!image.symbols || !image.strings)
        return false;
    if (soname)
        image.soname = image.strings + soname->d_un.d_val;
    *image_out = image;
    return true;
}

/* The symbol's address when it is the exported default definition of `name`. */
static void *definition(const struct gmt_elf_image *image, uint32_t index, const char *name)
{
    const ElfW(Sym) *symbol = &image->symbols[index];
    unsigned type = symbol->st_info & 0xf;
    unsigned binding = symbol->st_info >> 4;
    if (symbol->st_shndx == SHN_UNDEF || symbol->st_value == 0)
        return NULL;
    if ((type != STT_FUNC && type != STT_NOTYPE && type != STT_OBJECT) ||
        (binding != STB_GLOBAL && binding != STB_WEAK))
        return NULL;
    if (image->versions && (image->versions[index] & 0x8000)) /* a hidden, that is an old, version */
        return NULL;
    if (!gmt_elf_name_equals(image->strings + symbol->st_name, name))
        return NULL;
    return (void *)(image->base + symbol->st_value);
}

static void *find_by_gnu_hash(const struct gmt_elf_image *image, const char *name)
{
    const uint32_t *table = image->gnu_hash;
    uint32_t bucket_count = table[0];
    uint32_t first_symbol = table[1];
    uint32_t bloom_words = table[2];
    uint32_t bloom_shift = table[3];
    const ElfW(Addr) *bloom = (const void *)(table + 4);
    const uint32_t *buckets = (const void *)(bloom + bloom_words);
    const uint32_t *chains = buckets + bucket_count;
    if (bucket_count == 0 || bloom_words == 0)
        return NULL;
    uint32_t hash = 5381;
    for (const char *c = name; *c != '\0'; c++)
        hash = hash * 33 + (unsigned char)*c;
    unsigned bits = 8 * sizeof(ElfW(Addr));
    ElfW(Addr) word = bloom[(hash / bits) % bloom_words];
    if (!((word >> (hash % bits)) & (word >> ((hash >> bloom_shift) % bits)) & 1))
        return NULL;
    uint32_t index = buckets[hash % bucket_count];
    if (index < first_symbol)
        return NULL;
    for (;; index++) {
        uint32_t chained = chains[index - first_symbol];
        if ((chained | 1) == (hash | 1)) {
            void *found = definition(image, index, name);
            if (found)
                return found;
        }
        if (chained & 1)
            return NULL;
    }
}

static void *find_by_sysv_hash(const struct gmt_elf_image *image, const char *name)
{
    uint32_t bucket_count = image->sysv_hash[0];
    uint32_t chain_count = image->sysv_hash[1];
    const uint32_t *buckets = image->sysv_hash + 2;
    const uint32_t *chains = buckets + bucket_count;
    if (bucket_count == 0)
        return NULL;
    uint32_t hash = 0;
    for (const char *c = name; *c != '\0'; c++) {
        hash = (hash << 4) + (unsigned char)*c;
        uint32_t top = hash & 0xf0000000u;
        hash = (hash ^ (top >> 24)) & ~top;
    }
    for (uint32_t index = buckets[hash % bucket_count]; index != 0 && index < chain_count; index = chains[index]) {
        void *found = definition(image, index, name);
        if (found)
            return found;
    }
    return NULL;
}

void *gmt_elf_image_find(const struct gmt_elf_image *image, const char *name)
{
    if (image->gnu_hash)
        return find_by_gnu_hash(image, name);
    return image->sysv_hash ? find_by_sysv_hash(image, name) : NULL;
}

void *gmt_elf_libc_symbol(const char *name)
{
    static const char *const homes[] = {"libc.so.6", "libdl.so.2"};
    for (unsigned i = 0; i < sizeof homes / sizeof homes[0]; i++) {
        for (const struct link_map *map = _r_debug.r_map; map; map = map->l_next) {
            struct gmt_elf_image image;
            if (!map->l_ld || !gmt_elf_image_open(map->l_addr, map->l_ld, &image) || !image.soname)
                continue;
            if (!gmt_elf_name_equals(image.soname, homes[i]))
                continue;
            void *found = gmt_elf_image_find(&image, name);
            if (found)
                return found;
        }
    }
    return NULL;
}

struct each {
    int (*visit)(const struct gmt_elf_image *image, const struct dl_phdr_info *info, void *argument);
    void *argument;
};

static int visit_object(struct dl_phdr_info *info, size_t bytes, void *argument)
{
    (void)bytes;
    const struct each *each = argument;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        struct gmt_elf_image image;
        const ElfW(Dyn) *dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        if (gmt_elf_image_open(info->dlpi_addr, dynamic, &image))
            return each->visit(&image, info, each->argument);
        return 0;
    }
    return 0;
}

int gmt_elf_each(int (*visit)(const struct gmt_elf_image *image, const struct dl_phdr_info *info, void *argument),
                 void *argument)
{
    struct each each = {visit, argument};
    return iterate(visit_object, &each);
}

bool gmt_elf_contains(const struct dl_phdr_info *info, uintptr_t address)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && address >= start && address - start < segment->p_memsz)
            return true;
    }
    return false;
}

struct owner {
    uintptr_t address;
    const void *dynamic; /* of the object that the address lies in */
};

static int visit_for_owner(struct dl_phdr_info *info, size_t bytes, void *argument)
{
    (void)bytes;
    struct owner *owner = argument;
    if (!gmt_elf_contains(info, owner->address))
        return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            owner->dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    }
    return 1;
}

void *gmt_elf_handle_of(const void *address)
{
    struct owner owner = {(uintptr_t)address, NULL};
    iterate(visit_for_owner, &owner);
    struct link_map *map = owner.dynamic ? _r_debug.r_map : NULL;
    while (map && map->l_ld != owner.dynamic)
        map = map->l_next;
    return map; /* in glibc a handle is the object's link_map */
}

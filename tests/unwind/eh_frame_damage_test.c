/* Damaged unwind tables: a copy of libc's, with bytes changed at random, is searched and run at random addresses.
 * Whatever it says, nothing outside of the copy may be read (it ends at a guard page, and the sanitizer builds check
 * the rest) and no search may hang. GMT_LONG=1 makes it a campaign. */
#include "unit_test.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cfi.h"
#include "base/eh_frame.h"
#include "base/elf_image.h"

#define PAGE 4096u
#define SHORT_ROUNDS 300000u
#define LONG_ROUNDS 50000000u

/* The segment of libc that holds its tables, copied so that its last byte is the last of a page. */
struct copy {
    uint8_t *bytes;
    size_t length;
    size_t header;      /* offset of .eh_frame_hdr */
    uintptr_t original; /* where the segment lies in libc */
    uintptr_t text;     /* libc's code, as seen from the original */
    size_t text_length;
};

static int take_libc(const struct gmt_elf_image *image, const struct dl_phdr_info *info, void *argument)
{
    struct copy *copy = argument;
    if (!image->soname || strcmp(image->soname, "libc.so.6") != 0)
        return 0;
    const ElfW(Phdr) *header = NULL;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_GNU_EH_FRAME)
            header = segment;
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X)) {
            copy->text = info->dlpi_addr + segment->p_vaddr;
            copy->text_length = segment->p_memsz;
        }
    }
    for (unsigned i = 0; header && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || header->p_vaddr - segment->p_vaddr >= segment->p_filesz)
            continue;
        copy->length = segment->p_filesz;
        copy->header = header->p_vaddr - segment->p_vaddr;
        copy->original = info->dlpi_addr + segment->p_vaddr;
        size_t room = (copy->length + PAGE - 1) & ~(size_t)(PAGE - 1);
        uint8_t *memory = mmap(NULL, room + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(memory + room, PAGE, PROT_NONE);
        copy->bytes = memory + room - copy->length;
        memcpy(copy->bytes, (const void *)copy->original, copy->length);
    }
    return 1;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Pointers in the tables are relative to where they lie: in the copy, code seems to lie as far away as in the original.
 */
static uintptr_t some_pc(const struct copy *copy, uint64_t random)
{
    return copy->text + random % copy->text_length - copy->original + (uintptr_t)copy->bytes;
}

static bool find_code(const struct copy *copy, uintptr_t pc, struct gmt_unwind_code *code_out)
{
    const uint8_t *end = copy->bytes + copy->length;
    const uint8_t *entry;
    return gmt_eh_frame_search(copy->bytes + copy->header, copy->bytes, end, pc, &entry) &&
           gmt_eh_frame_read(entry, copy->bytes, end, pc, code_out);
}

static bool find(const struct copy *copy, uint64_t random, struct gmt_rule *rule_out)
{
    uintptr_t pc = some_pc(copy, random);
    struct gmt_unwind_code code;
    if (!find_code(copy, pc, &code))
        return false;
    *rule_out = gmt_cfi_run(&code, pc);
    return true;
}

static void a_whole_table_knows_most_code(void **state)
{
    const struct copy *copy = *state;
    uint64_t random = 88172645463325252ull;
    unsigned known = 0;
    for (unsigned i = 0; i < 10000; i++) {
        struct gmt_rule rule;
        known += find(copy, next_random(&random), &rule) && rule.kind != GMT_RULE_NONE;
    }
    assert_in_range(known, 9000, 10000);
}

static void a_damaged_table_never_harms(void **state)
{
    const struct copy *copy = *state;
    unsigned rounds = getenv("GMT_LONG") ? LONG_ROUNDS : SHORT_ROUNDS;
    uint64_t random = 2463534242ull;
    size_t table = copy->length - copy->header;
    for (unsigned i = 0; i < rounds; i++) {
        uint8_t *places[4];
        uint8_t before[4];
        for (unsigned k = 0; k < 4; k++) {
            uint64_t r = next_random(&random);
            places[k] = copy->bytes + copy->header + (r >> 8) % (k == 0 ? 64 : table);
            before[k] = *places[k];
            *places[k] = (uint8_t)r;
        }
        for (unsigned k = 0; k < 4; k++) {
            struct gmt_rule rule;
            find(copy, next_random(&random), &rule);
        }
        for (unsigned k = 4; k-- > 0;)
            *places[k] = before[k];
    }
}

/* The damage above hits few of the entries that are then looked up: here the entry that was found is what is damaged.
 */
static void damaged_instructions_never_harm(void **state)
{
    const struct copy *copy = *state;
    unsigned rounds = getenv("GMT_LONG") ? LONG_ROUNDS : SHORT_ROUNDS;
    uint64_t random = 362436069ull;
    for (unsigned i = 0; i < rounds; i++) {
        uintptr_t pc = some_pc(copy, next_random(&random));
        struct gmt_unwind_code code;
        if (!find_code(copy, pc, &code))
            continue;
        size_t length = (size_t)(code.own.end - code.own.at);
        if (length == 0)
            continue;
        uint8_t *place = (uint8_t *)(uintptr_t)code.own.at + next_random(&random) % length;
        uint8_t before = *place;
        *place = (uint8_t)(next_random(&random) >> 16);
        gmt_cfi_run(&code, pc);
        struct gmt_rule rule;
        find(copy, pc, &rule);
        *place = before;
    }
}

int main(void)
{
    struct copy copy = {.bytes = NULL};
    gmt_elf_each(take_libc, &copy);
    if (!copy.bytes || copy.text_length == 0) {
        print_message("skipped: libc has no unwind tables here\n");
        return GMT_TEST_SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(a_whole_table_knows_most_code, &copy),
        cmocka_unit_test_prestate(a_damaged_table_never_harms, &copy),
        cmocka_unit_test_prestate(damaged_instructions_never_harm, &copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

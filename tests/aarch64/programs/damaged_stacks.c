/* Walks through code without unwind tables and through damaged stacks. Each function on the way notes its return
 * address; a walk may end early, but it must not show a frame that is none, fault, or run on. */
#include <alloca.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#include "base/code_epoch.h"
#include "base/unwind.h"

#define NOINLINE __attribute__((noinline))
#define WITHOUT_FP __attribute__((noinline, optimize("omit-frame-pointer")))
#define KEEP_FRAME() __asm__ volatile("" ::: "memory") /* no tail call */
#define CHAIN_MAX 8

typedef void way(void (*function)(void), uintptr_t value);
way calls_with_low_record, calls_with_high_record, calls_without_record, calls_with_other_use;
void decoy(void);
uintptr_t assembly_return;

static struct gmt_unwound unwound;
static uintptr_t chain[CHAIN_MAX]; /* return addresses, innermost first */
static unsigned chain_length;
static unsigned failures;
static unsigned checks;

#define NOTE_RETURN() note((uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0)))

/* Callers note theirs first: the new one goes to the front. */
static void note(uintptr_t address)
{
    for (unsigned i = chain_length; i > 0; i--)
        chain[i] = chain[i - 1];
    chain[0] = address - 1;
    chain_length++;
}

static void expect(bool good, const char *what, const char *where)
{
    checks++;
    if (good)
        return;
    failures++;
    printf("FAILED in %s: %s\n", where, what);
    for (unsigned i = 0; i < unwound.depth || i < chain_length; i++)
        printf("  %lx %lx\n", i < unwound.depth ? unwound.pcs[i] : 0, i < chain_length ? chain[i] : 0);
}

static NOINLINE void walk(void)
{
    NOTE_RETURN();
    struct gmt_registers here = gmt_registers_here();
    gmt_unwind(&here, 64, gmt_code_epoch(), &unwound);
    KEEP_FRAME();
}

/* What holds of every walk: the caller is first, and what follows are callers in their order, none of them made up.
 * Frames outside of the last in the chain are not looked at. */
static void expect_no_wrong_frame(const char *where)
{
    unsigned next = 0;
    bool outside = false;
    expect(unwound.depth > 0 && unwound.pcs[0] == chain[0], "the caller", where);
    for (uint32_t i = 0; i < unwound.depth && !outside; i++) {
        while (next < chain_length && chain[next] != unwound.pcs[i])
            next++;
        outside = next + 1 == chain_length;
        expect(next < chain_length, "a frame that is none", where);
        expect(unwound.pcs[i] - (uintptr_t)decoy > 12, "a decoy", where);
    }
}

/* All of the chain, and on to the end of the stack. */
static void expect_whole(const char *where)
{
    bool all = unwound.depth >= chain_length && !unwound.incomplete;
    for (unsigned i = 0; i < chain_length && all; i++)
        all = unwound.pcs[i] == chain[i];
    expect(all, "the whole stack", where);
}

/* The assembly notes nothing itself; where it returns to it leaves behind. */
static NOINLINE void called_by_assembly(void)
{
    note(assembly_return);
    NOTE_RETURN();
    walk();
    KEEP_FRAME();
}

static NOINLINE void with_record(way *assembly, uintptr_t value)
{
    volatile char room[200];
    room[0] = 1;
    NOTE_RETURN();
    assembly(called_by_assembly, value);
    room[1] = room[0];
}

/* Left by its frame pointer, since nobody else knows how large the frame is. */
static NOINLINE void with_variable_frame(way *assembly, uintptr_t value)
{
    volatile char *room = alloca(100 + chain_length);
    room[0] = 1;
    NOTE_RETURN();
    assembly(called_by_assembly, value);
    room[1] = room[0];
}

WITHOUT_FP static void without_record(way *assembly, uintptr_t value)
{
    NOTE_RETURN();
    assembly(called_by_assembly, value);
    KEEP_FRAME();
}

static NOINLINE void through_assembly(way *assembly, uintptr_t value, bool whole, const char *name)
{
    for (volatile int i = 0; i < 2; i++) { /* the second time the thread remembers the first */
        chain_length = 0;
        NOTE_RETURN();
        with_record(assembly, value);
        expect_no_wrong_frame(name);
        if (whole)
            expect_whole(name);
        chain_length = 0;
        NOTE_RETURN();
        with_variable_frame(assembly, value);
        expect_no_wrong_frame(name);
        if (whole)
            expect_whole(name);
        chain_length = 0;
        NOTE_RETURN();
        without_record(assembly, value);
        expect_no_wrong_frame(name);
        expect(unwound.depth > 1 && unwound.pcs[1] == chain[1], "the assembly itself", name);
    }
    KEEP_FRAME();
}

/* Puts `value` where this frame keeps its caller's frame pointer (0) or its return address (1), and walks. */
static NOINLINE void damage(uintptr_t value, unsigned which)
{
    NOTE_RETURN();
    volatile uintptr_t *record = __builtin_frame_address(0);
    uintptr_t right = record[which];
    record[which] = value;
    walk();
    record[which] = right;
    KEEP_FRAME();
}

static NOINLINE void walk_damaged(uintptr_t value)
{
    for (volatile unsigned which = 0; which < 2; which++) {
        chain_length = 0;
        NOTE_RETURN();
        damage(value, which);
        expect(unwound.depth > 0 && unwound.pcs[0] == chain[0], "the damaged frame", "damage");
        expect(!unwound.cut, "running on", "damage");
        if (which == 0) /* compiled code is left by its stack pointer */
            expect_whole("damage");
    }
    KEEP_FRAME();
}

static NOINLINE void with_damage(void)
{
    char *page = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uintptr_t unmapped = (uintptr_t)page;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    const uintptr_t values[] = {0,
                                1,
                                8,
                                4095,
                                0x7fffffffe000,
                                UINTPTR_MAX,
                                UINTPTR_MAX - 7,
                                UINTPTR_MAX - 15,
                                0x5a5a5a5a5a5a5a5a,
                                unmapped,
                                unmapped + 4096,
                                here,
                                here + 4,
                                here - 64,
                                here - 512,
                                (uintptr_t)decoy + 4};
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++)
        walk_damaged(values[i]);
    munmap(page, 8192);
}

/* A record that leads back into itself, in code of no object. */
static void in_a_circle(void)
{
    uintptr_t frames[4] = {(uintptr_t)&frames[2], 0x123456, (uintptr_t)&frames[0], 0x123457};
    struct gmt_registers registers = {.pc = 0x123450, .sp = (uintptr_t)frames, .fp = (uintptr_t)frames};
    gmt_unwind(&registers, 64, gmt_code_epoch(), &unwound);
    expect(unwound.depth == 1 && unwound.pcs[0] == 0x123455 && unwound.incomplete, "one frame", "circle");
}

int main(void)
{
    uintptr_t words[6] = {(uintptr_t)decoy + 4, (uintptr_t)decoy + 4, (uintptr_t)&words[4], (uintptr_t)decoy + 4, 0, 0};
    through_assembly(calls_with_low_record, 0, true, "low record");
    through_assembly(calls_with_high_record, 0, true, "high record");
    through_assembly(calls_without_record, 0, false, "no record");
    through_assembly(calls_with_other_use, 0, false, "other use, 0");
    through_assembly(calls_with_other_use, 0x1234567, false, "other use, unmapped");
    through_assembly(calls_with_other_use, (uintptr_t)&words[1] + 4, false, "other use, unaligned");
    with_damage();
    in_a_circle();
    printf("%u checks, %u failed\n", checks, failures);
    return failures != 0;
}

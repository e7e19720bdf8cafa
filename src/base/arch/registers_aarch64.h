/* The registers that an unwinder follows on aarch64, and what the procedure call standard and the kernel say of them.
 */
#ifndef GMT_BASE_ARCH_REGISTERS_AARCH64_H
#define GMT_BASE_ARCH_REGISTERS_AARCH64_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* DWARF numbers: DWARF for the Arm 64-bit Architecture, section 4.1. */
#define GMT_DWARF_FP 29
#define GMT_DWARF_SP 31
#define GMT_DWARF_RA 30

/* Whether a frame record, what the frame pointer points to, ends its frame. Here it may lie anywhere in it, mostly at
 * the low end (Procedure Call Standard for the Arm 64-bit Architecture, section 6.4.6), and does not tell the caller's
 * sp. */
#define GMT_FRAME_RECORD_ENDS_FRAME 0

struct gmt_registers {
    uintptr_t pc;
    uintptr_t sp;
    uintptr_t fp;
    uintptr_t lr; /* return address while it is in no stack slot */
};

/* The registers at this place of the calling function, which must not return before the walk from them is done. */
__attribute__((always_inline)) static inline struct gmt_registers gmt_registers_here(void)
{
    struct gmt_registers here;
    __asm__ volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29\n\tmov %3, x30"
                     : "=r"(here.pc), "=r"(here.sp), "=r"(here.fp), "=r"(here.lr));
    return here;
}

/* Takes pointer authentication bits off a return address: xpaclri, a no-op hint on processors without it. */
static inline uintptr_t gmt_strip_address(uintptr_t address)
{
    register uintptr_t x30 __asm__("x30") = address;
    __asm__("hint #7" : "+r"(x30));
    return x30;
}

/* The trampoline that a signal handler returns to: mov x8, #SYS_rt_sigreturn; svc #0. */
static inline bool gmt_is_signal_trampoline(const void *code)
{
    static const uint32_t words[] = {0xd2801168u, 0xd4000001u};
    return memcmp(code, words, sizeof words) == 0;
}
#define GMT_SIGNAL_TRAMPOLINE_BYTES 8

/* Offsets from the stack pointer in the trampoline to the saved registers: siginfo (128), then struct ucontext with its
 * mcontext at 176, whose regs[] start at 8 (arch/arm64 of the kernel). */
#define GMT_SIGNAL_FRAME_FP (312 + 29 * 8)
#define GMT_SIGNAL_FRAME_LR (312 + 30 * 8)
#define GMT_SIGNAL_FRAME_SP (312 + 31 * 8)
#define GMT_SIGNAL_FRAME_PC (312 + 32 * 8)

#endif

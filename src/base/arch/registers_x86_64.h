/* The registers that an unwinder follows on x86-64, and what the System V ABI and the kernel say of them. */
#ifndef GMT_BASE_ARCH_REGISTERS_X86_64_H
#define GMT_BASE_ARCH_REGISTERS_X86_64_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* DWARF numbers: System V ABI, AMD64 supplement, figure 3.36. */
#define GMT_DWARF_FP 6
#define GMT_DWARF_SP 7
#define GMT_DWARF_RA 16

/* Whether a frame record, what the frame pointer points to, ends its frame: the caller's sp is behind it. */
#define GMT_FRAME_RECORD_ENDS_FRAME 1

struct gmt_registers {
    uintptr_t pc;
    uintptr_t sp;
    uintptr_t fp;
};

/* The registers at this place of the calling function, which must not return before the walk from them is done. */
__attribute__((always_inline)) static inline struct gmt_registers gmt_registers_here(void)
{
    struct gmt_registers here;
    __asm__ volatile("leaq 0(%%rip), %0\n\tmovq %%rsp, %1\n\tmovq %%rbp, %2"
                     : "=r"(here.pc), "=r"(here.sp), "=r"(here.fp));
    return here;
}

/* Bits that pointer authentication adds to a return address: none here. */
static inline uintptr_t gmt_strip_address(uintptr_t address)
{
    return address;
}

/* The trampoline that a signal handler returns to: mov $SYS_rt_sigreturn, %rax; syscall. */
static inline bool gmt_is_signal_trampoline(const void *code)
{
    static const unsigned char bytes[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
    return memcmp(code, bytes, sizeof bytes) == 0;
}
#define GMT_SIGNAL_TRAMPOLINE_BYTES 9

/* Offsets from the stack pointer in the trampoline to the saved registers: struct ucontext, arch/x86 of the kernel
 * (uc_mcontext at 40; gregs rbp, rsp, rip are the 11th, 16th and 17th). */
#define GMT_SIGNAL_FRAME_FP 120
#define GMT_SIGNAL_FRAME_SP 160
#define GMT_SIGNAL_FRAME_PC 168

#endif

/* One exported function per row of hook/entry_points.def and hook/passed_through.def. Each names itself to
 * gmt_sim_call_arrived and then jumps to its body with all arguments in place, so that one place counts calls, runs failure
 * scripts and knows what has no body. The rows also become the table gmt_sim_entries of arrivals.h.
 */
    .altmacro

/* A body is optional: a weak name without a definition is 0 in the table, and the call is "not supported". */
.macro gmt_export name
    .weak gmt_sim_\name
    .hidden gmt_sim_\name
    .section .rodata
77: .asciz "\name"
    .section .data.rel.ro, "aw"
#if defined(__x86_64__) || defined(__aarch64__)
    .balign 8
    .quad 77b, gmt_sim_export_\name, gmt_sim_\name
#endif
    .text
    .balign 16
    .globl \name
    .type \name, @function
    .hidden gmt_sim_export_\name
    .globl gmt_sim_export_\name
\name:
gmt_sim_export_\name:
    .cfi_startproc
    gmt_arrive %gmt_index
    .cfi_endproc
    .size \name, . - \name
    .set gmt_index, gmt_index + 1
.endm
    .set gmt_index, 0

    .section .data.rel.ro, "aw"
    .balign 8
    .globl gmt_sim_entries
    .hidden gmt_sim_entries
gmt_sim_entries:
    .text

#if defined(__x86_64__)

.macro gmt_arrive index
    movl $\index, %eax
    jmp gmt_sim_enter
.endm

/* Saves every register that may carry an argument; a body expects them untouched. */
    .type gmt_sim_enter, @function
gmt_sim_enter:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    subq $32, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movl %eax, %edi
    call gmt_sim_call_arrived
    movq %rdx, %r11
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    addq $32, %rsp
    popq %r9
    popq %r8
    popq %rcx
    popq %rdx
    popq %rsi
    popq %rdi
    popq %rbp
    .cfi_def_cfa %rsp, 8
    testq %rax, %rax
    jz 1f
    jmpq *%rax
1:  movl %r11d, %eax
    ret
    .cfi_endproc
    .size gmt_sim_enter, . - gmt_sim_enter

#elif defined(__aarch64__)

.macro gmt_arrive index
    mov w9, #\index
    b gmt_sim_enter
.endm

/* Saves every register that may carry an argument; a body expects them untouched. */
    .type gmt_sim_enter, @function
gmt_sim_enter:
    .cfi_startproc
    stp x29, x30, [sp, #-96]!
    .cfi_def_cfa_offset 96
    .cfi_offset x29, -96
    .cfi_offset x30, -88
    mov x29, sp
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    stp d0, d1, [sp, #80]
    mov w0, w9
    bl gmt_sim_call_arrived
    mov x16, x0
    mov x17, x1
    ldp x0, x1, [sp, #16]
    ldp x2, x3, [sp, #32]
    ldp x4, x5, [sp, #48]
    ldp x6, x7, [sp, #64]
    ldp d0, d1, [sp, #80]
    ldp x29, x30, [sp], #96
    .cfi_restore x29
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    cbz x16, 1f
    br x16
1:  mov w0, w17
    ret
    .cfi_endproc
    .size gmt_sim_enter, . - gmt_sim_enter

#else
#error "the simulated driver has no entry code for this machine"
#endif

/* Rows of other libraries than the driver are not exported here. */
#define GMT_EXPORT_DRV(name) gmt_export name
#define GMT_EXPORT_RT(name)
#define GMT_ENTRY(library, name, result, parameters, arguments, rule) GMT_EXPORT_##library(name)
#define GMT_PASS(name, reason) gmt_export name
#include "hook/entry_points.def"
#include "hook/passed_through.def"

    .section .data.rel.ro, "aw"
    .globl gmt_sim_entries_end
    .hidden gmt_sim_entries_end
gmt_sim_entries_end:

    .section .note.GNU-stack, "", @progbits

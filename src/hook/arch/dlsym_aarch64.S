/* dlsym on aarch64: asks gmt_dlsym_route where to go and jumps there with everything as it was, so that the target sees
 * the program's own return address (x30). */
    .text
    .globl  dlsym
    .type   dlsym, %function
    .align  4
dlsym:
    .cfi_startproc
    hint    #34                     /* bti c */
    stp     x29, x30, [sp, #-32]!
    .cfi_def_cfa_offset 32
    .cfi_offset x29, -32
    .cfi_offset x30, -24
    stp     x0, x1, [sp, #16]
    bl      gmt_dlsym_route
    mov     x16, x0
    ldp     x0, x1, [sp, #16]
    ldp     x29, x30, [sp], #32
    .cfi_restore x29
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    br      x16
    .cfi_endproc
    .size   dlsym, . - dlsym
    .section .note.GNU-stack, "", %progbits

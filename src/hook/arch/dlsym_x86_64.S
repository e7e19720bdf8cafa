/* dlsym on x86-64: asks gmt_dlsym_route where to go and jumps there with everything as it was, so that the target sees
 * the program's own return address. */
    .text
    .globl  dlsym
    .type   dlsym, @function
    .align  16
dlsym:
    .cfi_startproc
    endbr64
    pushq   %rdi
    .cfi_adjust_cfa_offset 8
    pushq   %rsi
    .cfi_adjust_cfa_offset 8
    subq    $8, %rsp
    .cfi_adjust_cfa_offset 8
    call    gmt_dlsym_route
    addq    $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq    %rsi
    .cfi_adjust_cfa_offset -8
    popq    %rdi
    .cfi_adjust_cfa_offset -8
    jmp     *%rax
    .cfi_endproc
    .size   dlsym, . - dlsym
    .section .note.GNU-stack, "", @progbits

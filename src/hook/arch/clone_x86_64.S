/* long gmt_clone_run(unsigned long flags, void *stack_top, int (*function)(void *), void *argument)
 *
 * A raw clone whose child runs `function` on the given stack and exits with its result. libc's clone() is no use: before
 * glibc 2.25 it overwrites the thread's cached pid, which a CLONE_VM child shares. Returns the child's pid or -errno. */
    .text
    .globl  gmt_clone_run
    .hidden gmt_clone_run
    .type   gmt_clone_run, @function
    .align  16
gmt_clone_run:
    .cfi_startproc
    endbr64
    andq    $-16, %rsi
    subq    $16, %rsi
    movq    %rdx, (%rsi)
    movq    %rcx, 8(%rsi)
    movl    $56, %eax               /* SYS_clone */
    xorl    %edx, %edx
    xorl    %r10d, %r10d
    xorl    %r8d, %r8d
    syscall
    testq   %rax, %rax
    jz      1f
    ret
    .cfi_endproc
1:
    .cfi_startproc
    .cfi_undefined rip
    xorl    %ebp, %ebp
    popq    %rax
    popq    %rdi
    call    *%rax
    movl    %eax, %edi
    movl    $60, %eax               /* SYS_exit */
    syscall
    hlt
    .cfi_endproc
    .size   gmt_clone_run, . - gmt_clone_run
    .section .note.GNU-stack, "", @progbits

/* long gmt_clone_run(unsigned long flags, void *stack_top, int (*function)(void *), void *argument)
 *
 * A raw clone whose child runs `function` on the given stack and exits with its result. libc's clone() is no use: before
 * glibc 2.25 it overwrites the thread's cached pid, which a CLONE_VM child shares. Returns the child's pid or -errno. */
    .text
    .globl  gmt_clone_run
    .hidden gmt_clone_run
    .type   gmt_clone_run, %function
    .align  4
gmt_clone_run:
    .cfi_startproc
    hint    #34                     /* bti c */
    and     x1, x1, #-16
    stp     x2, x3, [x1, #-16]!
    mov     x2, #0
    mov     x3, #0
    mov     x4, #0
    mov     x8, #220                /* SYS_clone */
    svc     #0
    cbz     x0, 1f
    ret
    .cfi_endproc
1:
    .cfi_startproc
    .cfi_undefined x30
    mov     x29, #0
    ldp     x2, x0, [sp], #16
    blr     x2
    mov     x8, #93                 /* SYS_exit */
    svc     #0
    brk     #0
    .cfi_endproc
    .size   gmt_clone_run, . - gmt_clone_run
    .section .note.GNU-stack, "", %progbits

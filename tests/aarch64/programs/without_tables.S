/* Assembly without unwind tables. Each function calls its first argument and leaves in assembly_return where it returns
 * to; words of its frame that are not in use hold the address of `decoy`, which looks like a return address and is none.
 */
    .text

.macro begin name
    .globl \name
    .type \name, %function
    .balign 16
\name:
    adrp x10, :got:assembly_return
    ldr x10, [x10, :got_lo12:assembly_return]
    str x30, [x10]
    adr x9, decoy + 4
.endm

.macro end name
    .size \name, . - \name
.endm

/* calls_with_low_record: the record is at the low end of the frame, as compilers put it. */
begin calls_with_low_record
    stp x29, x30, [sp, #-64]!
    mov x29, sp
    stp x9, x9, [sp, #16]
    stp x9, x9, [sp, #32]
    stp x9, x9, [sp, #48]
    blr x0
    ldp x29, x30, [sp], #64
    ret
end calls_with_low_record

/* … at the high end, as hand-written code may. */
begin calls_with_high_record
    sub sp, sp, #64
    stp x29, x30, [sp, #48]
    add x29, sp, #48
    stp x9, x9, [sp]
    stp x9, x9, [sp, #16]
    stp x9, x9, [sp, #32]
    blr x0
    ldp x29, x30, [sp, #48]
    add sp, sp, #64
    ret
end calls_with_high_record

/* No record: the caller's frame pointer stays. */
begin calls_without_record
    stp x30, x9, [sp, #-16]!
    blr x0
    ldr x30, [sp], #16
    ret
end calls_without_record

/* The register holds something else: the second argument. */
begin calls_with_other_use
    stp x29, x30, [sp, #-32]!
    stp x9, x9, [sp, #16]
    mov x29, x1
    blr x0
    ldp x29, x30, [sp], #32
    ret
end calls_with_other_use

    .globl decoy
    .type decoy, %function
    .balign 16
decoy:
    nop
    nop
    ret
end decoy

    .section .note.GNU-stack, "", %progbits

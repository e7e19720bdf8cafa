/* One raw system call on x86-64. Returns the kernel's value: a result, or -errno; never touches errno. */
#ifndef GMT_BASE_ARCH_SYSCALL_X86_64_H
#define GMT_BASE_ARCH_SYSCALL_X86_64_H

static inline long gmt_syscall_raw(long number, long a, long b, long c, long d, long e, long f)
{
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

#endif

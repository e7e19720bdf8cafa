/* Raw system calls: results are the kernel's, errno is left alone. */
#include "support/unit_test.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/syscall.h"

static void errors_come_back_negative_and_errno_stays(void **state)
{
    (void)state;
    errno = 4711;
    assert_int_equal(gmt_syscall(SYS_close, -1), -EBADF);
    assert_int_equal(gmt_sys_open("/nowhere/at/all", O_RDONLY, 0), -ENOENT);
    char buffer[8];
    assert_int_equal(gmt_sys_read_file("/nowhere/at/all", buffer, sizeof buffer), -ENOENT);
    assert_int_equal(gmt_sys_write_all(-1, "x", 1), -EBADF);
    assert_int_equal(errno, 4711);
}

static void six_arguments_arrive(void **state)
{
    (void)state;
    char page[1];
    int zeros = gmt_sys_open("/dev/zero", O_RDONLY, 0);
    assert_true(zeros >= 0);
    /* PROT_READ 1, MAP_PRIVATE 2: the last two arguments are descriptor and offset, and a wrong offset is refused. */
    assert_int_equal(gmt_syscall(SYS_mmap, NULL, 4096, 1, 2, zeros, 1), -EINVAL);
    long mapped = gmt_syscall(SYS_mmap, NULL, 4096, 1, 2, zeros, 4096);
    assert_true(mapped > 0);
    memcpy(page, (void *)mapped, 1);
    assert_int_equal(page[0], 0);
    gmt_sys_unmap((void *)mapped, 4096);
    gmt_sys_close(zeros);
}

static void opened_files_close_on_exec(void **state)
{
    (void)state;
    int file = gmt_sys_open("/dev/null", O_RDONLY, 0);
    assert_true(file >= 0);
    assert_int_equal(gmt_syscall(SYS_fcntl, file, F_GETFD), FD_CLOEXEC);
    assert_int_equal(gmt_sys_close(file), 0);
}

static void a_file_is_read_as_far_as_it_fits(void **state)
{
    (void)state;
    char whole[64];
    char part[3] = "XX";
    long length = gmt_sys_read_file("/proc/self/comm", whole, sizeof whole);
    assert_true(length > 2);
    assert_int_equal(strlen(whole), length);
    assert_int_equal(gmt_sys_read_file("/proc/self/comm", part, sizeof part), 2);
    assert_memory_equal(part, whole, 2);
    assert_int_equal(part[2], '\0');
}

#define LARGE ((size_t)1 << 20)

static void *drain(void *argument)
{
    static char sink[4096];
    size_t total = 0;
    ssize_t got;
    while ((got = read(*(int *)argument, sink, sizeof sink)) > 0)
        total += (size_t)got;
    return (void *)total;
}

static void everything_is_written_although_a_pipe_is_small(void **state)
{
    static char data[LARGE];
    int ends[2];
    pthread_t reader;
    void *total;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(pthread_create(&reader, NULL, drain, &ends[0]), 0);
    assert_int_equal(gmt_sys_write_all(ends[1], data, LARGE), 0);
    close(ends[1]);
    pthread_join(reader, &total);
    close(ends[0]);
    assert_int_equal((size_t)total, 1048576);
}

static void mapped_memory_is_zero_and_may_be_refused(void **state)
{
    (void)state;
    unsigned char *memory = gmt_sys_map(8192);
    assert_non_null(memory);
    assert_int_equal(memory[0] | memory[8191], 0);
    memory[8191] = 1;
    gmt_sys_unmap(memory, 8192);
    assert_null(gmt_sys_map((size_t)1 << 62));
    gmt_sys_unmap(NULL, 8192);
}

static void words_that_cannot_be_read_are_told(void **state)
{
    (void)state;
    char *pages = gmt_sys_map(8192);
    assert_non_null(pages);
    gmt_syscall(SYS_mprotect, pages + 4096, 4096, 0);
    assert_true(gmt_sys_is_readable((uintptr_t)pages));
    assert_true(gmt_sys_is_readable((uintptr_t)pages + 4088));
    assert_false(gmt_sys_is_readable((uintptr_t)pages + 4089)); /* its last byte */
    assert_false(gmt_sys_is_readable((uintptr_t)pages + 4096));
    gmt_sys_unmap(pages, 8192);
    assert_false(gmt_sys_is_readable((uintptr_t)pages));
    assert_false(gmt_sys_is_readable(0));
    assert_false(gmt_sys_is_readable(UINTPTR_MAX - 7));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_come_back_negative_and_errno_stays),
        cmocka_unit_test(six_arguments_arrive),
        cmocka_unit_test(opened_files_close_on_exec),
        cmocka_unit_test(a_file_is_read_as_far_as_it_fits),
        cmocka_unit_test(everything_is_written_although_a_pipe_is_small),
        cmocka_unit_test(mapped_memory_is_zero_and_may_be_refused),
        cmocka_unit_test(words_that_cannot_be_read_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

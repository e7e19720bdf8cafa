/* Who the process is. The program starts itself again, with other arguments and in other ways, and then prints what its
 * own header says: "process_identity_test --identify FIELD …". */
#include "track_fixture.h"

#include <link.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "track/process_identity.h"

static char program[PATH_MAX];

static const char *string(gmt_string_id id)
{
    return GMT_RECORDS(&tracker.trace, STRINGS) + id;
}

static int identify(const char *field)
{
    open_tracker(NULL);
    puts(strcmp(field, "executable") == 0 ? string(HEADER->executable) : string(HEADER->arguments));
    return close_tracker(NULL);
}

/* Runs `file` with `arguments` and returns its output without the line's end. */
static const char *output_of(const char *file, const char *const *arguments)
{
    static char output[16384];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        execv(file, (char *const *)arguments);
        _exit(127);
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t got;
    while ((got = read(ends[0], output + length, sizeof output - 1 - length)) > 0)
        length += (size_t)got;
    close(ends[0]);
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_true(length > 0);
    output[length - 1] = '\0';
    return output;
}

static unsigned long long start_by_stdio(void)
{
    char line[1024];
    unsigned long long ticks = 0;
    FILE *file = fopen("/proc/self/stat", "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    const char *behind_name = strrchr(line, ')') + 2;
    assert_int_equal(
        sscanf(behind_name, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &ticks),
        1);
    return ticks;
}

static void the_start_is_the_kernels(void **state)
{
    (void)state;
    assert_true(gmt_process_start_ticks() > 0);
    assert_int_equal(gmt_process_start_ticks(), start_by_stdio());
}

static void a_name_with_parentheses_does_not_matter(void **state)
{
    char before[16];
    (void)state;
    uint64_t ticks = gmt_process_start_ticks();
    prctl(PR_GET_NAME, before);
    prctl(PR_SET_NAME, "a) R 1 (2 3)");
    uint64_t renamed = gmt_process_start_ticks();
    prctl(PR_SET_NAME, before);
    assert_int_equal(renamed, ticks);
}

static void the_header_names_process_host_and_folder(void **state)
{
    struct utsname system;
    char folder[PATH_MAX];
    (void)state;
    assert_int_equal(uname(&system), 0);
    assert_non_null(getcwd(folder, sizeof folder));
    assert_int_equal(HEADER->pid, (uint32_t)getpid());
    assert_int_equal(HEADER->parent_pid, (uint32_t)getppid());
    assert_int_equal(HEADER->process_start_ticks, start_by_stdio());
    assert_string_equal(string(HEADER->host), system.nodename);
    assert_string_equal(string(HEADER->working_directory), folder);
    assert_string_equal(string(HEADER->executable), program);
    assert_true(HEADER->start_unix_ns > 1600000000000000000ull);
}

static void a_path_that_does_not_fit_is_empty_or_cut(void **state)
{
    char small[4];
    (void)state;
    gmt_process_executable(small, sizeof small);
    assert_true(strlen(small) < sizeof small);
}

static void arguments_read_back_in_a_shell(void **state)
{
    const char *const arguments[] = {"my program", "--identify", "arguments",     "plain", "two words", "it's",
                                     "",           "$HOME;`x`",  "a=b,c:d/e.f-g", "@%_+h", "tab\there", "caf\xc3\xa9",
                                     "-x",         NULL};
    (void)state;
    assert_string_equal(output_of(program, arguments),
                        "'my program' --identify arguments plain 'two words' 'it'\\''s' '' '$HOME;`x`' a=b,c:d/e.f-g "
                        "@%_+h 'tab\there' 'caf\xc3\xa9' -x");
}

static void long_arguments_are_cut(void **state)
{
    static char long_argument[10000];
    (void)state;
    memset(long_argument, 'l', sizeof long_argument - 1);
    const char *const arguments[] = {"p", "--identify", "arguments", long_argument, NULL};
    const char *line = output_of(program, arguments);
    assert_memory_equal(line, "p --identify arguments llll", 27);
    assert_true(strlen(line) > 1000 && strlen(line) < 9000);
}

static int loader_of_program(struct dl_phdr_info *info, size_t bytes, void *argument)
{
    (void)bytes;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_INTERP)
            *(const char **)argument = (const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    }
    return 1;
}

/* There /proc/self/exe is the loader. */
static void started_through_the_loader_the_program_is_the_program(void **state)
{
    const char *loader = NULL;
    (void)state;
    dl_iterate_phdr(loader_of_program, &loader);
    assert_non_null(loader);
    const char *const arguments[] = {loader, program, "--identify", "executable", NULL};
    assert_string_equal(output_of(loader, arguments), program);
    const char *const direct[] = {"another name", "--identify", "executable", NULL};
    assert_string_equal(output_of(program, direct), program);
}

static int32_t rank_with(const char *first, const char *first_value, const char *second, const char *second_value)
{
    setenv(first, first_value, 1);
    if (second)
        setenv(second, second_value, 1);
    assert_int_equal(reopen_tracker(), 0);
    unsetenv(first);
    if (second)
        unsetenv(second);
    return HEADER->rank;
}

static void the_rank_comes_from_the_launcher(void **state)
{
    (void)state;
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "RANK"};
    for (unsigned i = 0; i < 5; i++)
        unsetenv(variables[i]);
    assert_int_equal(HEADER->rank, -1);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(rank_with(variables[i], "17", NULL, NULL), 17);
    assert_int_equal(rank_with("OMPI_COMM_WORLD_RANK", "3", "RANK", "4"), 3);
    assert_int_equal(rank_with("OMPI_COMM_WORLD_RANK", "x", "RANK", "4"), 4);
    assert_int_equal(rank_with("OMPI_COMM_WORLD_RANK", "3x", "RANK", "4"), 4);
    assert_int_equal(rank_with("RANK", "0", NULL, NULL), 0);
    assert_int_equal(rank_with("RANK", "", NULL, NULL), -1);
    assert_int_equal(rank_with("RANK", "-1", NULL, NULL), -1);
    assert_int_equal(rank_with("RANK", "99999999999999999999", NULL, NULL), -1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_is_the_kernels),
        cmocka_unit_test(a_name_with_parentheses_does_not_matter),
        TRACKER_TEST(the_header_names_process_host_and_folder),
        cmocka_unit_test(a_path_that_does_not_fit_is_empty_or_cut),
        cmocka_unit_test(arguments_read_back_in_a_shell),
        cmocka_unit_test(long_arguments_are_cut),
        cmocka_unit_test(started_through_the_loader_the_program_is_the_program),
        TRACKER_TEST(the_rank_comes_from_the_launcher),
    };
    if (argc > 2 && strcmp(argv[1], "--identify") == 0)
        return identify(argv[2]);
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

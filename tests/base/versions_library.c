/* A library for the ELF look-up's test: exported, hidden-version, weak, data and indirect symbols. */
#include "versions_library.h"

int gmt_sample_plain(void)
{
    return 1;
}

__attribute__((weak)) int gmt_sample_weak(void)
{
    return 2;
}

int gmt_sample_data = 3;
__thread int gmt_sample_thread_local = 4;

int old_of_two(void)
{
    return 5;
}

int new_of_two(void)
{
    return 6;
}

int old_alone(void)
{
    return 7;
}

__asm__(".symver old_of_two, gmt_sample_two@GMT_SAMPLE_1");
__asm__(".symver new_of_two, gmt_sample_two@@GMT_SAMPLE_2");
__asm__(".symver old_alone, gmt_sample_hidden@GMT_SAMPLE_1");

static int chosen(void)
{
    return 8;
}

__attribute__((used)) static int (*choose(void))(void)
{
    return chosen;
}

int gmt_sample_indirect(void) __attribute__((ifunc("choose")));

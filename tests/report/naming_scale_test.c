/* A report of 20,000 call sites in 200 libraries is named within the bars: 3 s of processor time, 1 GiB of memory.
 * Argument: many.so. */
#include "report/naming.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/unit_test.h"
#include "symbolizer_dw.h"

#define MODULES 200u
#define FUNCTIONS 1000u
#define SITES 20000u
#define DEPTH 8u

static const char *library;
static char folder[512];

/* A trace as the reader leaves it, without a file. */
static struct gmt_module_record modules[MODULES];
static struct gmt_frame_record frames[SITES * DEPTH];
static struct gmt_stack_record stacks[SITES];
static struct gmt_site_record sites[SITES];
static char strings[1 + MODULES * 600];
static struct gmt_trace_view view;

static void set(enum gmt_section_id section, const void *records, uint64_t count)
{
    view.records[section] = records;
    view.counts[section] = count;
}

static uintptr_t captured;

static __attribute__((noinline)) void capture(void)
{
    captured = (uintptr_t)__builtin_return_address(0) - 1;
}

/* Offset of the inlined call in each function. */
static void find_functions(uint64_t *offsets_out)
{
    void *handle = dlopen(library, RTLD_NOW);
    assert_non_null(handle);
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        char name[8];
        Dl_info info;
        snprintf(name, sizeof name, "f%03u", i);
        void *symbol = dlsym(handle, name);
        assert_non_null(symbol);
        assert_int_not_equal(dladdr(symbol, &info), 0);
        void (*call)(void (*)(void));
        memcpy(&call, &symbol, sizeof call);
        call(capture);
        offsets_out[i] = captured - (uintptr_t)info.dli_fbase;
    }
}

static void make_modules(void)
{
    size_t at = 1;
    for (unsigned i = 0; i < MODULES; i++) {
        int length = snprintf(strings + at, sizeof strings - at, "%s/lib%u.so", folder, i);
        assert_int_equal(link(library, strings + at), 0);
        modules[i].path = (gmt_string_id)at;
        modules[i].build_id_bytes = 20;
        for (unsigned j = 0; j < 20; j++)
            modules[i].build_id[j] = (uint8_t)j;
        at += (size_t)length + 1;
    }
    set(GMT_SECTION_STRINGS, strings, at);
    set(GMT_SECTION_MODULES, modules, MODULES);
}

/* No two frames are at the same address. */
static void make_sites(void)
{
    static uint64_t offsets[FUNCTIONS];
    find_functions(offsets);
    for (unsigned i = 0; i < SITES; i++) {
        sites[i] = (struct gmt_site_record){.state = 1, .stack = i};
        stacks[i] = (struct gmt_stack_record){.first_frame = i * DEPTH, .depth = DEPTH};
        for (unsigned j = 0; j < DEPTH; j++) {
            unsigned code = i * DEPTH + j;
            frames[code] = (struct gmt_frame_record){.module = code % MODULES, .offset = offsets[code / MODULES]};
        }
    }
    set(GMT_SECTION_FRAMES, frames, (uint64_t)SITES * DEPTH);
    set(GMT_SECTION_STACKS, stacks, SITES);
    set(GMT_SECTION_SITES, sites, SITES);
}

static void names_many_sites_in_time(void **state)
{
    static const struct gmt_symbol_search nowhere_else;
    struct gmt_report report;
    struct rusage usage;
    (void)state;
    make_modules();
    make_sites();
    gmt_report_init(&report, 1);
    const struct gmt_process *process = gmt_report_add(&report, &view);
    struct gmt_symbolizer *symbolizer = gmt_symbolizer_dw_open(&nowhere_else, &report.heap);
    clock_t before = clock();
    gmt_report_name(&report, symbolizer);
    double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    gmt_symbolizer_dw_close(symbolizer);
    getrusage(RUSAGE_SELF, &usage);
    print_message("%u sites in %u libraries: %.2f s, %ld MiB\n", SITES, MODULES, seconds, usage.ru_maxrss >> 10);
    assert_int_equal(process->site_count, SITES);
    const struct gmt_frame *first = process->sites[0].stack->frames;
    assert_int_equal(process->sites[0].stack->count, 2 * DEPTH);
    assert_string_equal(first[0].function, "call");
    assert_int_equal(first[0].line, 6);
    assert_int_equal(first[0].inlined, true);
    assert_string_equal(first[1].function, "f000");
    /* The last frame of the last site: code 159,999, function 799. */
    const struct gmt_stack *last = process->sites[SITES - 1].stack;
    assert_string_equal(last->frames[last->count - 1].function, "f799");
    for (unsigned i = 0; i < MODULES; i++)
        assert_null(process->modules[i].trouble);
    gmt_report_drop(&report);
    if (GMT_TEST_SANITIZED)
        return;
    assert_true(seconds <= 3);
    assert_true(usage.ru_maxrss <= 1 << 20);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_many_sites_in_time)};
    if (count < 2)
        return 2;
    library = arguments[1];
    snprintf(folder, sizeof folder, "%s-XXXXXX", library); /* beside it, so that it can be linked to */
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gmt_scratch_remove(folder);
    return failed;
}

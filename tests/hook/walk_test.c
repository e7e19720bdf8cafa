/* The table walk: every followed function, through every door, in every circumstance: one record, and not two. */
#include "support/unit_test.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preloaded.h"
#include "table_driver.h"
#include "walk_expect.h"

#define INTERRUPTING 0x66000000

/* What a function is that has no row: looked at, and nothing else. */
static struct walk_row row_of(const char *name)
{
    const struct walk_row *row = walk_row_of(name);
    return row ? *row : (struct walk_row){.name = name, .what = WALK_WATCH, .arguments = ""};
}

/* Makes what a function works on: its maker may need one itself. */
static void make_for(const struct walk_row *row, struct exchange *exchange)
{
    if (!row->maker)
        return;
    const struct walk_row *maker = walk_row_of(row->maker);
    make_for(maker, exchange);
    walk_expect(row, walk_call(maker, walk_through("direct", maker->name), exchange) == CUDA_SUCCESS,
                "there is no maker");
}

/* A fresh address and a fresh handle for the call to give out, and what it needs. */
static void prepare(const struct walk_row *row, unsigned index, struct exchange *exchange)
{
    *exchange = (struct exchange){.address = 0x10000000 + index * 0x10000, .context = 0xc0de1000 + index * 0x10};
    table_driver_set_address(exchange->address);
    table_driver_set_context(exchange->context);
    make_for(row, exchange);
}

/* Primary contexts of one device are one: none may be left for the next row. */
static void clean_up(const struct exchange *exchange)
{
    const struct gmt_context_record *context = trace_context(walk_trace, exchange->context);
    if (context && context->state == GMT_CONTEXT_LIVE)
        cuCtxDestroy_v2((CUcontext)exchange->context);
}

static void succeed(const struct walk_row *row, void *function, struct exchange *exchange, uint64_t calls)
{
    struct trace_counts before = trace_counts_of(walk_trace, row->name);
    unsigned entered = table_driver_calls(row->name);
    struct trace_counts added = walk_addition_of(row);
    added.calls = calls;
    errno = 4711;
    walk_expect(row, walk_call(row, function, exchange) == CUDA_SUCCESS, "the result was changed");
    walk_expect(row, errno == 4711, "errno was changed");
    walk_expect(row, table_driver_calls(row->name) == entered + 1, "the driver was not called once");
    walk_expect_given(row, exchange);
    walk_expect_counts(row, &before, added);
    if (added.sequence > 0)
        walk_expect_block(row, exchange);
    else if (row->what >= WALK_CONTEXT_CREATE)
        walk_expect_context(row, exchange);
}

/* What is counted by references, or told, may come again. */
static void walk_success(const struct walk_row *row, void *function, struct exchange *exchange)
{
    succeed(row, function, exchange, 1);
    if (row->what != WALK_REFERENCE && row->what != WALK_VARIABLE && row->kind != GMT_KIND_POOL_IMPORT)
        return;
    struct trace_counts before = trace_counts_of(walk_trace, row->name);
    struct trace_counts added = {.calls = 1, .held = row->what == WALK_REFERENCE};
    walk_expect(row, walk_call(row, function, exchange) == CUDA_SUCCESS, "the result was changed");
    walk_expect_counts(row, &before, added);
}

/* The driver's function calls its own exported name: both calls are hooked. */
static void walk_nested(const struct walk_row *row, void *function, struct exchange *exchange)
{
    table_driver_nest(row->name);
    succeed(row, function, exchange, 2);
}

static void fail_with(const struct walk_row *row, void *function, struct exchange *exchange, int code,
                      struct trace_counts added)
{
    struct trace_counts before = trace_counts_of(walk_trace, row->name);
    bool made = row->maker && row->what < WALK_CONTEXT_CREATE;
    /* Look-ups that fail are everyday business of every runtime, and no failures of the program's. */
    added.failures = row->what != WALK_LOOK_UP;
    added.errors = added.calls;
    table_driver_plan(row->name, code);
    table_driver_set_errno(77);
    walk_expect(row, (int)walk_call(row, function, exchange) == code, "the result was changed");
    walk_expect(row, errno == 77, "errno is not what the driver left");
    table_driver_set_errno(0);
    table_driver_plan(row->name, CUDA_SUCCESS);
    walk_expect_untouched(row, exchange);
    walk_expect_counts(row, &before, added);
    walk_expect(row, made == (trace_live_block(walk_trace, exchange->address) != NULL),
                "only what was there before is live");
}

static void walk_failure(const struct walk_row *row, void *function, struct exchange *exchange)
{
    fail_with(row, function, exchange, CUDA_ERROR_INVALID_VALUE, (struct trace_counts){.calls = 1});
}

/* The same, inside and outside: still one failure. */
static void walk_nested_failure(const struct walk_row *row, void *function, struct exchange *exchange)
{
    table_driver_nest(row->name);
    fail_with(row, function, exchange, CUDA_ERROR_INVALID_VALUE, (struct trace_counts){.calls = 2});
}

static void walk_full(const struct walk_row *row, void *function, struct exchange *exchange)
{
    struct trace_counts added = {.calls = 1, .ooms = row->what != WALK_LOOK_UP && row->what != WALK_FREE};
    uint64_t index = trace_reader_used(walk_trace, GMT_SECTION_OOMS);
    fail_with(row, function, exchange, CUDA_ERROR_OUT_OF_MEMORY, added);
    if (added.ooms > 0)
        walk_expect(row, trace_reader_OOMS(walk_trace)[index].request_bytes == row->request, "the request is wrong");
}

static uint64_t address_outside;

static void allocate_in_handler(int number)
{
    CUdeviceptr block;
    (void)number;
    table_driver_set_address(INTERRUPTING);
    cuMemAllocManaged(&block, 300, 1);
    table_driver_set_address(address_outside);
}

static void raise_signal(void)
{
    raise(SIGUSR1);
}

/* A signal handler comes while the driver is inside the call, and allocates on its own account. */
static void walk_signal(const struct walk_row *row, void *function, struct exchange *exchange)
{
    address_outside = exchange->address;
    signal(SIGUSR1, allocate_in_handler);
    struct trace_counts before = trace_counts_of(walk_trace, row->name);
    struct trace_counts added = walk_addition_of(row);
    added.calls = strcmp(row->name, "cuMemAllocManaged") == 0 ? 2 : 1;
    added.sequence++;
    added.live++;
    added.held++;
    table_driver_call_back(raise_signal);
    walk_expect(row, walk_call(row, function, exchange) == CUDA_SUCCESS, "the result was changed");
    walk_expect_given(row, exchange);
    walk_expect_counts(row, &before, added);
    const struct gmt_block_record *block = trace_live_block(walk_trace, INTERRUPTING);
    walk_expect(row, block && block->bytes == 300, "the handler's block is not live");
    if (walk_addition_of(row).sequence > 0)
        walk_expect_block(row, exchange);
    cuMemFree_v2(INTERRUPTING);
}

static const struct {
    const char *name;
    void (*walk)(const struct walk_row *row, void *function, struct exchange *exchange);
} circumstances[] = {
    {"success", walk_success}, {"nested", walk_nested},
    {"failure", walk_failure}, {"nested_failure", walk_nested_failure},
    {"full", walk_full},       {"signal", walk_signal},
};

#define CIRCUMSTANCES (sizeof circumstances / sizeof circumstances[0])

/* Inside: opens the walk_trace by the first successful call, and lets the first block find the current context. */
static bool begin(void)
{
    CUdeviceptr block = 0;
    if (cuInit(0) != CUDA_SUCCESS || !preloaded_trace())
        return false;
    walk_trace = trace_reader_open(preloaded_trace());
    cuMemAlloc_v2(&block, 1);
    cuMemFree_v2(block);
    return walk_trace != NULL;
}

/* Inside: all rows through one door in one circumstance. */
static int walk(const char *circumstance, const char *door)
{
    if (!begin())
        return 2;
    for (unsigned i = 0; i < walk_meaning_count; i++) {
        const struct walk_row found = row_of(walk_meanings[i].exported), *row = &found;
        void *function = walk_through(door, row->name);
        struct exchange exchange;
        walk_expect(row, function != NULL, "the door does not know it");
        walk_expect(row, function != table_driver_function(row->name), "the door gave the driver's own function out");
        if (!function)
            continue;
        prepare(row, i, &exchange);
        for (unsigned c = 0; c < CIRCUMSTANCES; c++) {
            if (strcmp(circumstances[c].name, circumstance) == 0)
                circumstances[c].walk(row, function, &exchange);
        }
        clean_up(&exchange);
    }
    for (unsigned i = 0; i < GMT_TROUBLE_COUNT; i++)
        walk_faults += walk_trace->troubles[i] != 0;
    return walk_faults ? 1 : 0;
}

/* Inside, on a driver without most functions, or without the look-ups alone. */
static int walk_missing(bool look_ups)
{
    if (!begin())
        return 2;
    for (unsigned i = 0; i < walk_meaning_count; i++) {
        const struct walk_row found = row_of(walk_meanings[i].exported), *row = &found;
        struct exchange exchange = {.address = 0x10000000, .context = 0xc0de1000};
        if (row->what == WALK_INIT || (row->what == WALK_LOOK_UP) != look_ups)
            continue;
        walk_expect(row, walk_through("default", row->name) == NULL, "dlsym(RTLD_DEFAULT) finds what is not there");
        walk_expect(row, walk_through("handle", row->name) == NULL, "dlsym(handle) finds what is not there");
        struct trace_counts before = trace_counts_of(walk_trace, row->name);
        struct trace_counts added = {.calls = 1, .errors = 1};
        added.failures = !look_ups && row->what != WALK_VARIABLE; /* a variable may be asked for that is not there */
        walk_expect(row, walk_call(row, walk_through("direct", row->name), &exchange) == CUDA_ERROR_NOT_FOUND,
                    "the result is not 500");
        walk_expect_untouched(row, &exchange);
        walk_expect_counts(row, &before, added);
    }
    return walk_faults ? 1 : 0;
}

/* Inside, with off=1. */
static int walk_off(void)
{
    for (unsigned i = 0; i < walk_meaning_count; i++) {
        const struct walk_row found = row_of(walk_meanings[i].exported), *row = &found;
        for (unsigned d = 0; d < WALK_DOORS; d++) {
            struct exchange exchange = {.address = 0x10000000 + i, .context = 0xc0de1000 + i};
            table_driver_set_address(exchange.address);
            table_driver_set_context(exchange.context);
            void *function = walk_through(walk_doors[d], row->name);
            unsigned entered = table_driver_calls(row->name);
            walk_expect(row, walk_call(row, function, &exchange) == CUDA_SUCCESS, "the result was changed");
            walk_expect(row, table_driver_calls(row->name) == entered + 1, "the driver was not called once");
            walk_expect_given(row, &exchange);
            table_driver_plan(row->name, CUDA_ERROR_INVALID_VALUE);
            walk_expect(row, walk_call(row, function, &exchange) == CUDA_ERROR_INVALID_VALUE, "the result was changed");
            walk_expect_untouched(row, &exchange);
            table_driver_plan(row->name, CUDA_SUCCESS);
        }
    }
    return walk_faults ? 1 : 0;
}

static void the_list_here_is_the_table(void **state)
{
    static const char *const names[] = {
#define GMT_ENTRY(library, name, result, parameters, arguments, rule) #name,
#include "hook/entry_points.def"
#undef GMT_ENTRY
    };
    (void)state;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        unsigned found = 0;
        for (unsigned j = 0; j < walk_meaning_count; j++)
            found += strcmp(walk_meanings[j].exported, names[i]) == 0;
        if (found != 1)
            fail_msg("%s has %u rows in meanings.def", names[i], found);
    }
    assert_int_equal(walk_meaning_count, sizeof names / sizeof names[0]);
    for (unsigned i = 0; i < walk_row_count; i++) {
        if (walk_row_of(walk_rows[i].name) != &walk_rows[i])
            fail_msg("%s has two rows in walk_rows.c", walk_rows[i].name);
    }
}

static void each_door_in_each_circumstance(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (unsigned c = 0; c < CIRCUMSTANCES; c++) {
        for (unsigned d = 0; d < WALK_DOORS; d++) {
            unsigned traces;
            struct preloaded how = {.parameter = walk_doors[d]};
            int status = preloaded_run(circumstances[c].name, &how, &traces);
            if (status != 0)
                print_error("%s by %s: status %d\n", circumstances[c].name, walk_doors[d], status);
            failed += status != 0;
            assert_int_equal(traces, 1);
        }
    }
    assert_int_equal(failed, 0);
}

static void what_a_driver_lacks_is_missing(void **state)
{
    struct preloaded bare = {.driver = "bare"};
    struct preloaded no_lookup = {.driver = "no_lookup"};
    (void)state;
    assert_int_equal(preloaded_run("missing", &bare, NULL), 0);
    assert_int_equal(preloaded_run("missing look-ups", &no_lookup, NULL), 0);
}

static void switched_off_everything_passes_and_nothing_is_written(void **state)
{
    unsigned traces;
    struct preloaded how = {.options = "off=1"};
    (void)state;
    assert_int_equal(preloaded_run("off", &how, &traces), 0);
    assert_int_equal(traces, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_here_is_the_table),
        cmocka_unit_test(each_door_in_each_circumstance),
        cmocka_unit_test(what_a_driver_lacks_is_missing),
        cmocka_unit_test(switched_off_everything_passes_and_nothing_is_written),
    };
    if (argc == 3)
        return walk(argv[1], argv[2]);
    if (argc == 2 && strcmp(argv[1], "off") == 0)
        return walk_off();
    if (argc == 2)
        return walk_missing(strcmp(argv[1], "missing look-ups") == 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

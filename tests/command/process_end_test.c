/* What is found out about processes that have not written their end: whether they run, and which of their threads do.
 */
#include "process_end.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/unit_test.h"
#include "trace_fixture.h"

static struct fixture fixture;
static struct gmt_report report;
static struct gmt_trace_view view;

/* Field 22 of a stat file; the name of this program holds no space. */
static uint64_t ticks_of(const char *path)
{
    unsigned long long ticks = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file,
                            "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                            &ticks),
                     1);
    fclose(file);
    return ticks;
}

static void *say_id(void *id_out)
{
    *(uint32_t *)id_out = (uint32_t)syscall(SYS_gettid);
    return NULL;
}

static uint32_t id_of_ended_thread(void)
{
    pthread_t thread;
    uint32_t id = 0;
    assert_int_equal(pthread_create(&thread, NULL, say_id, &id), 0);
    pthread_join(thread, NULL);
    return id;
}

static void add_thread(uint32_t id, uint64_t start_ticks, enum gmt_thread_state state)
{
    uint32_t index = fixture_add(&fixture, GMT_SECTION_THREADS);
    struct gmt_thread_record *record = fixture_record(&fixture, GMT_SECTION_THREADS, index);
    *record = (struct gmt_thread_record){.state = state, .id = id, .start_ticks = start_ticks};
}

/* This very process, traced on this host, without an end; five threads. */
static void make_trace(void)
{
    char host[256];
    uint64_t ticks = ticks_of("/proc/self/stat");
    fixture_sample(&fixture, "leak");
    fixture.header.end = GMT_END_RUNNING;
    fixture.header.pid = (uint32_t)getpid();
    fixture.header.process_start_ticks = ticks;
    assert_int_equal(gethostname(host, sizeof host), 0);
    fixture.header.host = fixture_string(&fixture, host);
    add_thread((uint32_t)getpid(), ticks, GMT_THREAD_RUNNING);
    add_thread((uint32_t)getpid(), 0, GMT_THREAD_RUNNING);         /* started at a time that is not known */
    add_thread((uint32_t)getpid(), ticks + 1, GMT_THREAD_RUNNING); /* another thread had its id before */
    add_thread(id_of_ended_thread(), 0, GMT_THREAD_RUNNING);
    add_thread((uint32_t)getpid(), ticks, GMT_THREAD_ENDED); /* what was seen stays */
}

static const struct gmt_process *check(void)
{
    char path[] = "/tmp/gmt_end_XXXXXX";
    struct gmt_sentence why;
    close(mkstemp(path));
    fixture_write(&fixture, path, fixture_size(&fixture));
    gmt_report_init(&report, 1);
    assert_int_equal(gmt_trace_view_open(path, &view, &why), 0);
    unlink(path);
    struct gmt_process *process = gmt_report_add(&report, &view);
    gmt_process_end_check(process);
    return process;
}

static void drop(void)
{
    gmt_trace_view_close(&view);
    gmt_report_drop(&report);
}

static void assert_takers(const struct gmt_process *process, const enum gmt_taker_state *expected)
{
    assert_int_equal(process->taker_count, 5);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(process->takers[i].state, expected[i]);
}

static void looks_at_the_threads_of_what_runs(void **state)
{
    static const enum gmt_taker_state expected[] = {GMT_TAKER_ALIVE, GMT_TAKER_ALIVE, GMT_TAKER_ENDED, GMT_TAKER_ENDED,
                                                    GMT_TAKER_ENDED};
    (void)state;
    make_trace();
    const struct gmt_process *process = check();
    assert_int_equal(process->end.by, GMT_ENDED_RUNNING);
    assert_takers(process, expected);
    drop();
}

/* Ids say nothing about processes that are gone or run elsewhere. */
static void knows_nothing_of_what_is_gone(void **state)
{
    static const enum gmt_taker_state expected[] = {GMT_TAKER_UNKNOWN, GMT_TAKER_UNKNOWN, GMT_TAKER_UNKNOWN,
                                                    GMT_TAKER_UNKNOWN, GMT_TAKER_ENDED};
    (void)state;
    make_trace();
    fixture.header.process_start_ticks++;
    const struct gmt_process *process = check();
    assert_int_equal(process->end.by, GMT_ENDED_GONE);
    assert_takers(process, expected);
    drop();
    make_trace();
    fixture.header.host = fixture_string(&fixture, "elsewhere.invalid");
    process = check();
    assert_int_equal(process->end.by, GMT_ENDED_GONE);
    assert_takers(process, expected);
    drop();
}

/* A process that wrote its end looked at its threads itself. */
static void believes_what_was_written_at_the_end(void **state)
{
    static const enum gmt_taker_state expected[] = {GMT_TAKER_ALIVE, GMT_TAKER_ALIVE, GMT_TAKER_ALIVE, GMT_TAKER_ALIVE,
                                                    GMT_TAKER_ENDED};
    (void)state;
    make_trace();
    fixture.header.end = GMT_END_EXIT;
    const struct gmt_process *process = check();
    assert_int_equal(process->end.by, GMT_ENDED_EXIT);
    assert_takers(process, expected);
    drop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_at_the_threads_of_what_runs),
        cmocka_unit_test(knows_nothing_of_what_is_gone),
        cmocka_unit_test(believes_what_was_written_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

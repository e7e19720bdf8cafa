/* Threads, and what the kernel says of them and of addresses. */
#include "track_fixture.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/thread.h"
#include "hook/threads.h"

static int forget_thread(void **state)
{
    gmt_thread_reset();
    return open_tracker(state);
}

static void a_thread_has_one_record(void **state)
{
    (void)state;
    prctl(PR_SET_NAME, "lay (er)");
    uint32_t record = gmt_thread_record(&tracker);
    assert_int_equal(record, 0);
    assert_int_equal(gmt_thread_record(&tracker), 0);
    assert_int_equal(USED(THREADS), 1);
    const struct gmt_thread_record *thread = RECORD(THREADS, 0);
    assert_int_equal(thread->id, (uint32_t)getpid());
    assert_true(thread->start_ticks > 0);
    assert_string_equal(GMT_RECORDS(&tracker.trace, STRINGS) + thread->name, "lay (er)");
    gmt_threads_look_around(&tracker);
    assert_int_equal(thread->state, GMT_THREAD_RUNNING); /* whatever its name */
}

static void *record_thread(void *number)
{
    *(uint32_t *)number = gmt_thread_record(&tracker);
    return NULL;
}

static void a_thread_that_ended_is_seen(void **state)
{
    uint32_t number = 99;
    pthread_t thread;
    (void)state;
    gmt_thread_record(&tracker);
    assert_int_equal(pthread_create(&thread, NULL, record_thread, &number), 0);
    pthread_join(thread, NULL);
    assert_int_equal(number, 1);
    gmt_threads_look_around(&tracker);
    assert_int_equal(RECORD(THREADS, 0)->state, GMT_THREAD_RUNNING);
    assert_int_equal(RECORD(THREADS, 1)->state, GMT_THREAD_ENDED);
}

/* Another thread has its number now. */
static void a_number_that_came_back_is_another_thread(void **state)
{
    (void)state;
    gmt_thread_record(&tracker);
    RECORD(THREADS, 0)->start_ticks++;
    gmt_threads_look_around(&tracker);
    assert_int_equal(RECORD(THREADS, 0)->state, GMT_THREAD_ENDED);
}

static void without_room_there_is_no_record(void **state)
{
    (void)state;
    gmt_tracker_close(&tracker);
    assert_int_equal(gmt_thread_record(&tracker), GMT_NONE);
    assert_int_equal(open_tracker(state), 0);
    assert_int_equal(gmt_thread_record(&tracker), 0); /* and it is asked for again */
}

static void each_thread_beyond_the_last_record_asks_once(void **state)
{
    (void)state;
    HEADER->sections[GMT_SECTION_THREADS].capacity = 0;
    assert_int_equal(gmt_thread_record(&tracker), GMT_NONE);
    assert_int_equal(gmt_thread_record(&tracker), GMT_NONE);
    assert_int_equal(HEADER->sections[GMT_SECTION_THREADS].dropped, 1);
}

static void registrations_are_looked_at_from_both_ends(void **state)
{
    char *range = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)state;
    uint32_t whole = add_kind(GMT_KIND_REGISTERED, (uintptr_t)range, 4096);
    uint32_t cut = add_kind(GMT_KIND_REGISTERED, (uintptr_t)range + 4096, 8192);
    gmt_threads_look_around(&tracker);
    assert_int_equal(RECORD(BLOCKS, cut)->flags, 0);
    munmap(range + 8192, 4096);
    gmt_threads_look_around(&tracker);
    assert_int_equal(RECORD(BLOCKS, whole)->flags, 0);
    assert_int_equal(RECORD(BLOCKS, cut)->flags, GMT_BLOCK_UNMAPPED);
    munmap(range, 8192);
}

static void what_an_address_is(void **state)
{
    static int data;
    int local;
    (void)state;
    assert_int_equal(gmt_threads_address_is((uintptr_t)&local), GMT_ADDRESS_STACK);
    assert_int_equal(gmt_threads_address_is((uintptr_t)&data), GMT_ADDRESS_HOST);
    assert_int_equal(gmt_threads_address_is((uintptr_t)what_an_address_is), GMT_ADDRESS_HOST);
    assert_int_equal(gmt_threads_address_is(16), GMT_ADDRESS_UNKNOWN);
    assert_int_equal(gmt_threads_address_is(UINT64_MAX), GMT_ADDRESS_UNKNOWN);
    assert_int_equal(gmt_threads_address_is((uint64_t)1 << 60), GMT_ADDRESS_UNKNOWN);
}

#define THREAD_TEST(name) cmocka_unit_test_setup_teardown(name, forget_thread, close_tracker)

int main(void)
{
    const struct CMUnitTest tests[] = {
        THREAD_TEST(a_thread_has_one_record),
        THREAD_TEST(a_thread_that_ended_is_seen),
        THREAD_TEST(a_number_that_came_back_is_another_thread),
        THREAD_TEST(without_room_there_is_no_record),
        THREAD_TEST(each_thread_beyond_the_last_record_asks_once),
        THREAD_TEST(registrations_are_looked_at_from_both_ends),
        THREAD_TEST(what_an_address_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

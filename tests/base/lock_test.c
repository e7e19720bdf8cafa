/* The tracer's mutex: exclusion, re-entry, and that nobody waits for ever. */
#include "support/unit_test.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/errors.h"
#include "base/lock.h"

#define THREADS 8
#define ROUNDS 20000

static struct gmt_lock lock;
static uint64_t counter; /* guarded by `lock` */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int fresh_lock(void **state)
{
    (void)state;
    gmt_lock_reset(&lock);
    counter = 0;
    return 0;
}

static void *count(void *argument)
{
    int *failures = argument;
    for (int i = 0; i < ROUNDS; i++) {
        if (gmt_lock_take(&lock) != 0) {
            (*failures)++;
            continue;
        }
        counter++;
        gmt_lock_give(&lock);
    }
    return NULL;
}

static void eight_threads_exclude_each_other(void **state)
{
    pthread_t threads[THREADS];
    int failures[THREADS] = {0};
    (void)state;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count, &failures[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(failures[i], 0);
    }
    assert_int_equal(counter, 160000);
    assert_int_equal(lock.word, 0);
}

static volatile sig_atomic_t result_in_handler;

static void take_in_handler(int number)
{
    (void)number;
    result_in_handler = gmt_lock_take(&lock);
    if (result_in_handler == 0)
        gmt_lock_give(&lock);
}

static void a_signal_handler_does_not_wait_for_its_own_thread(void **state)
{
    (void)state;
    signal(SIGUSR1, take_in_handler);
    assert_int_equal(gmt_lock_take(&lock), 0);
    double started = seconds();
    raise(SIGUSR1);
    assert_int_equal(result_in_handler, -GMT_E_REENTERED);
    assert_true(seconds() - started < 0.5);
    gmt_lock_give(&lock);
    raise(SIGUSR1);
    assert_int_equal(result_in_handler, 0);
    signal(SIGUSR1, SIG_DFL);
}

static void *take_once(void *argument)
{
    *(int *)argument = gmt_lock_take(&lock);
    if (*(int *)argument == 0)
        gmt_lock_give(&lock);
    return NULL;
}

static int result_of_another_thread(void)
{
    pthread_t thread;
    int result = 1;
    assert_int_equal(pthread_create(&thread, NULL, take_once, &result), 0);
    pthread_join(thread, NULL);
    return result;
}

static void a_stuck_holder_costs_a_bounded_wait(void **state)
{
    (void)state;
    assert_int_equal(gmt_lock_take(&lock), 0);
    double started = seconds();
    assert_int_equal(result_of_another_thread(), -GMT_E_TIMEOUT);
    double waited = seconds() - started;
    assert_true(waited > 0.9 && waited < 5);
    gmt_lock_give(&lock);
    assert_int_equal(result_of_another_thread(), 0);
}

/* Held by a thread that is gone: its id is not this one's. */
static void a_vanished_holder_costs_a_bounded_wait(void **state)
{
    (void)state;
    lock.word = 1;
    double started = seconds();
    assert_int_equal(gmt_lock_take(&lock), -GMT_E_TIMEOUT);
    assert_true(seconds() - started < 5);
}

static void *hold_for_a_while(void *argument)
{
    int *taken = argument;
    if (gmt_lock_take(&lock) != 0)
        return NULL;
    __atomic_store_n(taken, 1, __ATOMIC_RELEASE);
    usleep(300000);
    gmt_lock_give(&lock);
    return NULL;
}

static void a_waiter_is_woken(void **state)
{
    pthread_t thread;
    int taken = 0;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, hold_for_a_while, &taken), 0);
    while (!__atomic_load_n(&taken, __ATOMIC_ACQUIRE))
        usleep(1000);
    assert_int_equal(gmt_lock_take(&lock), 0);
    gmt_lock_give(&lock);
    pthread_join(thread, NULL);
}

static uint64_t hours; /* an hour passes between two looks at the clock, as in a process that was stopped */

static uint64_t jumping_clock(void)
{
    return __atomic_add_fetch(&hours, 3600000000000ull, __ATOMIC_RELAXED);
}

static void a_stop_of_the_whole_process_is_no_wait(void **state)
{
    pthread_t thread;
    int taken = 0;
    (void)state;
    gmt_clock_replace(jumping_clock);
    assert_int_equal(pthread_create(&thread, NULL, hold_for_a_while, &taken), 0);
    while (!__atomic_load_n(&taken, __ATOMIC_ACQUIRE))
        usleep(1000);
    assert_int_equal(gmt_lock_take(&lock), 0);
    gmt_lock_give(&lock);
    pthread_join(thread, NULL);
    gmt_clock_replace(NULL);
}

static void reset_frees_a_lost_lock(void **state)
{
    (void)state;
    assert_int_equal(gmt_lock_take(&lock), 0);
    gmt_lock_reset(&lock);
    assert_int_equal(gmt_lock_take(&lock), 0);
    gmt_lock_give(&lock);
}

#define LOCK_TEST(name) cmocka_unit_test_setup(name, fresh_lock)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOCK_TEST(eight_threads_exclude_each_other),
        LOCK_TEST(a_signal_handler_does_not_wait_for_its_own_thread),
        LOCK_TEST(a_stuck_holder_costs_a_bounded_wait),
        LOCK_TEST(a_vanished_holder_costs_a_bounded_wait),
        LOCK_TEST(a_waiter_is_woken),
        LOCK_TEST(a_stop_of_the_whole_process_is_no_wait),
        LOCK_TEST(reset_frees_a_lost_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

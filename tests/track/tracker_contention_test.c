/* Sixteen threads on one tracker; then everything must add up. The one test to run under ThreadSanitizer. */
#include "track_fixture.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/code_epoch.h"

#define THREADS 16
#define STEPS (GMT_TEST_SANITIZED ? 1500 : 5000)
#define HELD_MAX 200

struct worker {
    unsigned number;
    uint64_t live_bytes;
    uint64_t live_count;
    uint64_t failed_frees;
    uint64_t taken;
};

static void expect_no_trouble(void)
{
    for (unsigned i = 0; i < GMT_TROUBLE_COUNT; i++) {
        if (HEADER->troubles[i] != 0)
            fail_msg("trouble %u: %llu", i, (unsigned long long)HEADER->troubles[i]);
    }
}

static uint64_t next_random(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

static uint32_t some_stack(uint64_t random)
{
    struct gmt_unwound unwound = {.depth = 3};
    unwound.pcs[0] = (uintptr_t)some_stack + random % 17;
    unwound.pcs[1] = 0x1000 + random % 5;
    unwound.pcs[2] = (uintptr_t)qsort;
    unwound.hash = random % 85;
    return gmt_tracker_stack(&tracker, &unwound, gmt_code_epoch());
}

static void take(struct worker *worker, uint64_t address, uint64_t random)
{
    struct gmt_event event = {
        .entry = ENTRY_ALLOC,
        .kind = random % 3 ? GMT_KIND_DEVICE : GMT_KIND_PINNED,
        .address = address,
        .bytes = 1 + random % 100000,
        .context = gmt_tracker_context(&tracker, 1 + random % 4, 0),
        .device = (uint32_t)(random >> 8) % 2,
        .thread = worker->number,
        .stack = some_stack(random),
    };
    gmt_tracker_add(&tracker, &event);
    gmt_tracker_called(&tracker, ENTRY_ALLOC, 0, 1);
    worker->live_bytes += event.bytes;
    worker->live_count++;
    worker->taken++;
}

static void give(struct worker *worker, uint64_t address, uint64_t bytes, bool refuse)
{
    struct gmt_taken taken;
    if (!gmt_tracker_free_begin(&tracker, GMT_FAMILY_ADDRESS, address, &taken))
        return; /* the numbers at the end tell */
    if (refuse) {
        struct gmt_event event = {.entry = ENTRY_FREE, .code = 1, .address = address, .stack = some_stack(address)};
        gmt_tracker_free_abort(&tracker, &taken);
        gmt_tracker_failure(&tracker, &event, GMT_FAILURE_FAILED);
        worker->failed_frees++;
        return;
    }
    struct gmt_event freed = {.entry = ENTRY_FREE, .thread = worker->number, .stack = some_stack(address)};
    gmt_tracker_free_commit(&tracker, &taken, &freed);
    worker->live_bytes -= bytes;
    worker->live_count--;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    uint64_t random = 88172645463325252ull + worker->number * 7919;
    uint64_t bytes[HELD_MAX] = {0}; /* 0: nothing is held in this place */
    for (unsigned step = 0; step < STEPS; step++) {
        uint64_t choice = next_random(&random);
        unsigned place = (unsigned)(choice >> 32) % HELD_MAX;
        if (choice % 512 == 0)
            gmt_code_epoch_advance(); /* as if a library had been closed */
        uint64_t address = 0x10000 + (worker->number * HELD_MAX + place) * 512;
        if (bytes[place] == 0) {
            uint64_t before = worker->live_bytes;
            take(worker, address, choice);
            bytes[place] = worker->live_bytes - before;
        } else {
            bool refuse = choice % 16 == 0;
            give(worker, address, bytes[place], refuse);
            bytes[place] = refuse ? bytes[place] : 0;
        }
    }
    return NULL;
}

static void sixteen_threads_leave_sound_numbers(void **state)
{
    pthread_t threads[THREADS];
    struct worker workers[THREADS] = {{.number = 0}};
    (void)state;
    gmt_clock_replace(NULL);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].number = i;
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    gmt_tracker_audit(&tracker);
    struct worker sum = {.number = 0};
    for (unsigned i = 0; i < THREADS; i++) {
        sum.live_bytes += workers[i].live_bytes;
        sum.live_count += workers[i].live_count;
        sum.failed_frees += workers[i].failed_frees;
        sum.taken += workers[i].taken;
    }
    uint64_t bytes = 0;
    uint64_t count = 0;
    for (unsigned device = 0; device < 2; device++) {
        for (unsigned space = 0; space < GMT_SPACE_COUNT; space++) {
            bytes += RECORD(DEVICES, device)->totals[space].live_bytes;
            count += RECORD(DEVICES, device)->totals[space].live_count;
        }
    }
    uint64_t failures = 0;
    for (uint64_t i = 0; i < USED(FAILURES); i++)
        failures += RECORD(FAILURES, i)->count;
    assert_int_equal(bytes, sum.live_bytes);
    assert_int_equal(count, sum.live_count);
    assert_int_equal(failures, sum.failed_frees);
    assert_int_equal(HEADER->next_sequence, sum.taken);
    assert_int_equal(RECORD(ENTRIES, ENTRY_ALLOC)->calls, sum.taken);
    assert_int_equal(USED(CONTEXTS), 4);
    assert_int_equal(USED(STACKS), 85); /* 17 × 5, whoever saw them first and in whichever epoch */
    expect_no_trouble();
}

#define MEMORY 0x71
#define HERE 0x100000

/* Each thread takes references to one memory, maps it somewhere of its own, and gives all of that back; some returns
 * fail, while the thread has another reference. */
static void *share(void *argument)
{
    const struct worker *worker = argument;
    uint64_t random = 88172645463325252ull + worker->number * 7919;
    uint64_t address = HERE + (worker->number + 1) * 0x100000;
    struct gmt_event mapping = taking(GMT_KIND_MAPPING, address, 4096);
    struct gmt_event freed = free_event();
    struct gmt_taken taken;
    for (unsigned step = 0; step < STEPS; step++) {
        uint64_t choice = next_random(&random);
        gmt_tracker_retained(&tracker, MEMORY, HERE);
        gmt_tracker_mapped(&tracker, &mapping, MEMORY);
        bool fails = choice % 4 == 0;
        if (fails)
            gmt_tracker_retained(&tracker, MEMORY, HERE);
        if (fails && gmt_tracker_free_begin(&tracker, GMT_FAMILY_HANDLE, MEMORY, &taken))
            gmt_tracker_free_abort(&tracker, &taken);
        for (unsigned i = 0; i <= fails; i++) {
            if (gmt_tracker_free_begin(&tracker, GMT_FAMILY_HANDLE, MEMORY, &taken))
                gmt_tracker_free_commit(&tracker, &taken, &freed);
        }
        gmt_tracker_unmap_begin(&tracker, address, 4096);
        if (choice % 8 == 0) {
            gmt_tracker_unmap_abort(&tracker, address, 4096);
            gmt_tracker_unmap_begin(&tracker, address, 4096);
        }
        gmt_tracker_unmap_commit(&tracker, address, 4096);
    }
    return NULL;
}

static void memory_that_threads_share_has_the_references_it_had(void **state)
{
    pthread_t threads[THREADS];
    struct worker workers[THREADS] = {{.number = 0}};
    (void)state;
    gmt_clock_replace(NULL);
    uint32_t memory = add_kind(GMT_KIND_PHYSICAL, MEMORY, 4096);
    struct gmt_event mapping = taking(GMT_KIND_MAPPING, HERE, 4096);
    gmt_tracker_mapped(&tracker, &mapping, MEMORY);
    free_of(GMT_FAMILY_HANDLE, MEMORY); /* the mapping alone holds it, and each release may be the last one */
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].number = i;
        assert_int_equal(pthread_create(&threads[i], NULL, share, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(RECORD(BLOCKS, memory)->state, GMT_BLOCK_LIVE);
    assert_int_equal(RECORD(BLOCKS, memory)->references, 0);
    assert_int_equal(RECORD(BLOCKS, memory)->mappings, 1);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 4096);
    assert_int_equal(device_totals(0, GMT_SPACE_ADDRESSES)->live_bytes, 4096);
    assert_true(is_free(GMT_FAMILY_HANDLE, MEMORY));
    expect_no_trouble();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(sixteen_threads_leave_sound_numbers),
        TRACKER_TEST(memory_that_threads_share_has_the_references_it_had),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

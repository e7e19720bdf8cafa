/* Exact peaks by call site: scenarios with every number written out, and a long random run against a model that copies
 * everything at every new mark. */
#include "support/unit_test.h"

#include "track/totals.h"

#define SITES 8

static struct gmt_totals totals;
static struct gmt_site_record sites[SITES];

static int empty(void **state)
{
    (void)state;
    totals = (struct gmt_totals){0};
    for (unsigned i = 0; i < SITES; i++)
        sites[i] = (struct gmt_site_record){0};
    return 0;
}

static void expect_at_peak(unsigned site, uint64_t bytes, uint64_t count)
{
    uint64_t bytes_seen;
    uint64_t count_seen;
    gmt_site_at_peak(&sites[site], &totals, &bytes_seen, &count_seen);
    assert_int_equal(bytes_seen, bytes);
    assert_int_equal(count_seen, count);
}

static void one_site_rises_and_falls(void **state)
{
    (void)state;
    gmt_totals_add(&totals, &sites[0], 100, 1);
    gmt_totals_add(&totals, &sites[0], 50, 2);
    gmt_totals_remove(&totals, &sites[0], 100);
    gmt_totals_add(&totals, &sites[0], 20, 3);
    assert_int_equal(sites[0].live_bytes, 70);
    assert_int_equal(sites[0].live_count, 2);
    assert_int_equal(sites[0].peak_bytes, 150);
    assert_int_equal(sites[0].total_bytes, 170);
    assert_int_equal(sites[0].total_count, 3);
    assert_int_equal(sites[0].last_ns, 3);
    assert_int_equal(totals.live_bytes, 70);
    assert_int_equal(totals.peak_bytes, 150);
    assert_int_equal(totals.peak_count, 2);
    assert_int_equal(totals.peak_ns, 2);
    assert_int_equal(totals.total_bytes, 170);
    assert_int_equal(totals.total_count, 3);
    expect_at_peak(0, 150, 2);
}

/* Site 1 had its own highest point before the device had; at the device's mark it held less. */
static void a_site_is_asked_what_it_held_at_the_devices_mark(void **state)
{
    (void)state;
    gmt_totals_add(&totals, &sites[1], 80, 1);
    gmt_totals_remove(&totals, &sites[1], 80);
    gmt_totals_add(&totals, &sites[1], 10, 2);
    gmt_totals_add(&totals, &sites[0], 100, 3); /* the mark: 110 */
    gmt_totals_remove(&totals, &sites[0], 100);
    gmt_totals_add(&totals, &sites[2], 60, 4);
    gmt_totals_add(&totals, &sites[1], 30, 5); /* 100, below the mark */
    assert_int_equal(totals.peak_bytes, 110);
    assert_int_equal(totals.peak_count, 2);
    assert_int_equal(sites[1].peak_bytes, 80);
    expect_at_peak(0, 100, 1);
    expect_at_peak(1, 10, 1);
    expect_at_peak(2, 0, 0);
}

static void the_first_of_two_equal_marks_counts(void **state)
{
    (void)state;
    gmt_totals_add(&totals, &sites[0], 100, 1);
    gmt_totals_remove(&totals, &sites[0], 100);
    gmt_totals_add(&totals, &sites[1], 100, 2);
    assert_int_equal(totals.peak_ns, 1);
    expect_at_peak(0, 100, 1);
    expect_at_peak(1, 0, 0);
}

static void a_new_mark_replaces_the_old_one(void **state)
{
    (void)state;
    gmt_totals_add(&totals, &sites[0], 100, 1);
    gmt_totals_remove(&totals, &sites[0], 100);
    gmt_totals_add(&totals, &sites[1], 101, 2);
    expect_at_peak(0, 0, 0);
    expect_at_peak(1, 101, 1);
    assert_int_equal(totals.peak_generation, 2);
}

/* A free that failed: the block is live again, but it is not a new one. */
static void restoring_is_no_new_block(void **state)
{
    (void)state;
    gmt_totals_add(&totals, &sites[0], 100, 1);
    gmt_totals_remove(&totals, &sites[0], 100);
    gmt_totals_restore(&totals, &sites[0], 100, 2);
    assert_int_equal(sites[0].live_bytes, 100);
    assert_int_equal(sites[0].live_count, 1);
    assert_int_equal(sites[0].total_bytes, 100);
    assert_int_equal(sites[0].total_count, 1);
    assert_int_equal(totals.total_count, 1);
    assert_int_equal(totals.peak_ns, 1);
    expect_at_peak(0, 100, 1);
}

static void without_a_device_the_site_still_counts(void **state)
{
    (void)state;
    gmt_totals_add(NULL, &sites[0], 100, 1);
    gmt_totals_add(NULL, &sites[0], 10, 2);
    gmt_totals_remove(NULL, &sites[0], 100);
    gmt_totals_restore(NULL, &sites[0], 100, 3);
    assert_int_equal(sites[0].live_bytes, 110);
    assert_int_equal(sites[0].peak_bytes, 110);
    assert_int_equal(sites[0].total_count, 2);
    assert_int_equal(totals.live_bytes, 0);
}

static void blocks_of_no_bytes_are_blocks(void **state)
{
    (void)state;
    gmt_totals_add(&totals, &sites[0], 0, 1);
    assert_int_equal(totals.live_count, 1);
    assert_int_equal(totals.peak_bytes, 0);
    assert_int_equal(totals.peak_generation, 0);
    gmt_totals_remove(&totals, &sites[0], 0);
    assert_int_equal(totals.live_count, 0);
}

/* The plain way to the same numbers. */
struct model {
    uint64_t live[SITES];
    uint64_t count[SITES];
    uint64_t at_peak[SITES];
    uint64_t count_at_peak[SITES];
    uint64_t all;
    uint64_t peak;
};

static void model_change(struct model *model, unsigned site, int64_t bytes)
{
    model->live[site] += (uint64_t)bytes;
    model->count[site] += bytes > 0 ? 1 : (uint64_t)-1;
    model->all += (uint64_t)bytes;
    if (model->all <= model->peak)
        return;
    model->peak = model->all;
    for (unsigned i = 0; i < SITES; i++) {
        model->at_peak[i] = model->live[i];
        model->count_at_peak[i] = model->count[i];
    }
}

static uint64_t next_random(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

#define HELD_MAX 64

static void a_random_run_equals_the_model(void **state)
{
    struct model model = {.all = 0};
    struct {
        unsigned site;
        uint64_t bytes;
    } held[HELD_MAX];
    unsigned holding = 0;
    uint64_t random = 88172645463325252ull;
    (void)state;
    for (unsigned step = 0; step < 200000; step++) {
        uint64_t choice = next_random(&random);
        unsigned wanted = step / 1000 % 2 ? HELD_MAX : 8; /* waves, so that the mark moves late as well */
        if (holding < wanted && (holding == 0 || choice % 3)) {
            held[holding].site = (unsigned)(choice >> 8) % SITES;
            held[holding].bytes = 1 + (choice >> 16) % (step + 1);
            gmt_totals_add(&totals, &sites[held[holding].site], held[holding].bytes, step);
            model_change(&model, held[holding].site, (int64_t)held[holding].bytes);
            holding++;
        } else {
            unsigned victim = (unsigned)(choice >> 8) % holding;
            gmt_totals_remove(&totals, &sites[held[victim].site], held[victim].bytes);
            model_change(&model, held[victim].site, -(int64_t)held[victim].bytes);
            held[victim] = held[--holding];
        }
        assert_true(totals.peak_bytes == model.peak && totals.live_bytes == model.all);
        for (unsigned i = 0; i < SITES; i++)
            expect_at_peak(i, model.at_peak[i], model.count_at_peak[i]);
    }
    assert_true(totals.peak_generation > 100); /* the mark moved again and again */
}

#define TOTALS_TEST(name) cmocka_unit_test_setup(name, empty)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TOTALS_TEST(one_site_rises_and_falls),
        TOTALS_TEST(a_site_is_asked_what_it_held_at_the_devices_mark),
        TOTALS_TEST(the_first_of_two_equal_marks_counts),
        TOTALS_TEST(a_new_mark_replaces_the_old_one),
        TOTALS_TEST(restoring_is_no_new_block),
        TOTALS_TEST(without_a_device_the_site_still_counts),
        TOTALS_TEST(blocks_of_no_bytes_are_blocks),
        TOTALS_TEST(a_random_run_equals_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

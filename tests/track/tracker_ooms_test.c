/* Out-of-memory errors: what was live, what came after. */
#include "track_fixture.h"

static struct gmt_event refused(uint64_t bytes, uint32_t device)
{
    struct gmt_event event = allocation(0, bytes);
    event.code = 2;
    event.device = device;
    return event;
}

static void out_of_memory_keeps_what_was_live(void **state)
{
    (void)state;
    add(0x1000, 100);
    add(0x2000, 11);
    struct gmt_event event = allocation(0x3000, 500);
    event.stack = stack_number(1);
    gmt_tracker_add(&tracker, &event);
    tracker_now = 1400;
    event = refused(1 << 30, 0);
    assert_int_equal(gmt_tracker_out_of_memory(&tracker, &event, 4096, 65536), 0);
    free_block(0x3000);
    const struct gmt_oom_record *oom = RECORD(OOMS, 0);
    assert_int_equal(oom->state, 1);
    assert_int_equal(oom->stack, event.stack);
    assert_int_equal(oom->entry, ENTRY_ALLOC);
    assert_int_equal(oom->code, 2);
    assert_int_equal(oom->device, 0);
    assert_int_equal(oom->time_ns, 400);
    assert_int_equal(oom->request_bytes, 1073741824);
    assert_int_equal(oom->free_bytes, 4096);
    assert_int_equal(oom->total_bytes, 65536);
    assert_int_equal(oom->later_success, 0);
    assert_int_equal(oom->totals[GMT_SPACE_DEVICE].live_bytes, 611);
    assert_int_equal(oom->top_count, 2);
    assert_int_equal(oom->top[0].site, 1);
    assert_int_equal(oom->top[0].live_bytes, 500);
    assert_int_equal(oom->top[0].live_count, 1);
    assert_int_equal(oom->top[1].site, 0);
    assert_int_equal(oom->top[1].live_bytes, 111);
    assert_int_equal(oom->top[1].live_count, 2);
}

static void only_the_largest_sites_of_that_device_are_kept(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        struct gmt_event event = allocation(0x1000 + i, 100 + (i * 7) % 20);
        event.stack = stack_number(i);
        gmt_tracker_add(&tracker, &event);
        event.address += 0x1000;
        event.bytes = 1000000;
        event.device = 1;
        gmt_tracker_add(&tracker, &event);
    }
    struct gmt_event event = refused(1, 0);
    gmt_tracker_out_of_memory(&tracker, &event, UINT64_MAX, UINT64_MAX);
    const struct gmt_oom_record *oom = RECORD(OOMS, 0);
    assert_int_equal(oom->top_count, 16);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(oom->top[i].live_bytes, 119 - i);
}

static void a_success_on_that_device_marks_the_recovery(void **state)
{
    (void)state;
    struct gmt_event first = refused(10, 0);
    struct gmt_event second = refused(10, 1);
    gmt_tracker_out_of_memory(&tracker, &first, 0, 0);
    gmt_tracker_out_of_memory(&tracker, &second, 0, 0);
    gmt_tracker_out_of_memory(&tracker, &first, 0, 0);
    add(0x1000, 1);
    assert_int_equal(RECORD(OOMS, 0)->later_success, 1);
    assert_int_equal(RECORD(OOMS, 1)->later_success, 0);
    assert_int_equal(RECORD(OOMS, 2)->later_success, 1);
    gmt_tracker_out_of_memory(&tracker, &first, 0, 0);
    assert_int_equal(RECORD(OOMS, 3)->later_success, 0);
    add(0x2000, 1);
    assert_int_equal(RECORD(OOMS, 3)->later_success, 1);
    assert_int_equal(tracker.open_ooms, 2); /* device 1: takings on device 0 do not look through the records for it */
}

static void out_of_memory_without_a_device(void **state)
{
    (void)state;
    struct gmt_event event = refused(10, GMT_NONE);
    assert_int_equal(gmt_tracker_out_of_memory(&tracker, &event, UINT64_MAX, UINT64_MAX), 0);
    assert_int_equal(RECORD(OOMS, 0)->device, GMT_NONE);
    assert_int_equal(RECORD(OOMS, 0)->top_count, 0);
}

static void the_1025th_is_dropped(void **state)
{
    (void)state;
    struct gmt_event event = refused(10, 0);
    for (unsigned i = 0; i < 1024; i++)
        assert_int_equal(gmt_tracker_out_of_memory(&tracker, &event, 0, 0), i);
    assert_int_equal(gmt_tracker_out_of_memory(&tracker, &event, 0, 0), GMT_NONE);
    assert_int_equal(HEADER->sections[GMT_SECTION_OOMS].dropped, 1);
}

/* Bytes are not the limit of everything: of objects it is their number. */
static void objects_are_ranked_by_their_number(void **state)
{
    static const struct {
        uint8_t kind;
        unsigned count;
    } kinds[] = {
        {GMT_KIND_STREAM, 3}, {GMT_KIND_EVENT, 50}, {GMT_KIND_TEXTURE, 7}, {GMT_KIND_MODULE, 20}, {GMT_KIND_GRAPH, 1}};
    (void)state;
    add(0x1000, 100);
    for (unsigned k = 0; k < 5; k++) {
        for (unsigned i = 0; i < kinds[k].count; i++) {
            struct gmt_event event = allocation(0x100 + i, 0);
            event.kind = kinds[k].kind;
            event.device = k % 2; /* whatever device */
            gmt_tracker_add(&tracker, &event);
        }
    }
    free_of(GMT_FAMILY_EVENT, 0x100);
    struct gmt_event event = refused(1, 0);
    gmt_tracker_out_of_memory(&tracker, &event, 0, 0);
    const struct gmt_oom_record *oom = RECORD(OOMS, 0);
    static const uint8_t expected[] = {GMT_KIND_EVENT, GMT_KIND_MODULE, GMT_KIND_TEXTURE, GMT_KIND_STREAM};
    static const uint64_t counts[] = {49, 20, 7, 3};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(RECORD(SITES, oom->objects[i])->kind, expected[i]);
        assert_int_equal(oom->object_counts[i], counts[i]);
    }
    assert_int_equal(oom->live_of_kind[GMT_KIND_EVENT], 49);
    assert_int_equal(oom->live_of_kind[GMT_KIND_GRAPH], 1);
    assert_int_equal(oom->live_of_kind[GMT_KIND_DEVICE], 1);
    assert_int_equal(oom->live_of_kind[GMT_KIND_PINNED], 0);
    assert_int_equal(oom->top_count, 1); /* objects have no bytes */
}

static void without_objects_the_list_is_empty(void **state)
{
    (void)state;
    struct gmt_event event = refused(1, 0);
    gmt_tracker_out_of_memory(&tracker, &event, 0, 0);
    assert_int_equal(RECORD(OOMS, 0)->objects[0], GMT_NONE);
    assert_int_equal(RECORD(OOMS, 0)->object_counts[0], 0);
}

/* Addresses that are reserved or mapped take nothing of the device; what is mapped there does. */
static void reserved_addresses_hold_nothing(void **state)
{
    struct gmt_event event = allocation(0x100000, 1 << 30);
    (void)state;
    event.kind = GMT_KIND_RESERVATION;
    gmt_tracker_add(&tracker, &event);
    event.kind = GMT_KIND_PHYSICAL;
    event.address = 7;
    event.bytes = 4096;
    gmt_tracker_add(&tracker, &event);
    event = refused(1, 0);
    gmt_tracker_out_of_memory(&tracker, &event, 0, 0);
    assert_int_equal(RECORD(OOMS, 0)->top_count, 1);
    assert_int_equal(RECORD(OOMS, 0)->top[0].live_bytes, 4096);
    assert_int_equal(RECORD(OOMS, 0)->totals[GMT_SPACE_ADDRESSES].live_bytes, 1073741824);
    assert_int_equal(RECORD(OOMS, 0)->totals[GMT_SPACE_DEVICE].live_bytes, 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(out_of_memory_keeps_what_was_live),
        TRACKER_TEST(only_the_largest_sites_of_that_device_are_kept),
        TRACKER_TEST(a_success_on_that_device_marks_the_recovery),
        TRACKER_TEST(out_of_memory_without_a_device),
        TRACKER_TEST(the_1025th_is_dropped),
        TRACKER_TEST(objects_are_ranked_by_their_number),
        TRACKER_TEST(without_objects_the_list_is_empty),
        TRACKER_TEST(reserved_addresses_hold_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

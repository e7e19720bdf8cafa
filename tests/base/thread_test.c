/* What the hooks know of the calling thread, and the code epoch. */
#include "support/unit_test.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/code_epoch.h"
#include "base/thread.h"

struct seen {
    uint32_t id;
    uint32_t kernel_id;
    uint64_t recorded;
};

static void *look(void *argument)
{
    struct seen *seen = argument;
    seen->recorded = gmt_thread_self.recorded;
    gmt_thread_self.recorded = 99;
    seen->id = gmt_thread_id();
    seen->kernel_id = (uint32_t)syscall(SYS_gettid);
    return NULL;
}

static void the_id_is_the_kernels(void **state)
{
    (void)state;
    assert_int_equal(gmt_thread_id(), (uint32_t)syscall(SYS_gettid));
    assert_int_equal(gmt_thread_id(), gmt_thread_self.id);
}

static void each_thread_has_its_own(void **state)
{
    pthread_t thread;
    struct seen seen;
    (void)state;
    gmt_thread_self.recorded = 7;
    assert_int_equal(pthread_create(&thread, NULL, look, &seen), 0);
    pthread_join(thread, NULL);
    assert_int_equal(seen.recorded, 0);
    assert_int_equal(seen.id, seen.kernel_id);
    assert_int_not_equal(seen.id, gmt_thread_id());
    assert_int_equal(gmt_thread_self.recorded, 7);
}

static void reset_forgets_everything(void **state)
{
    (void)state;
    gmt_thread_id();
    gmt_thread_self.recorded = 7;
    gmt_thread_self.freeing = 8;
    gmt_thread_self.context_handle = 9;
    gmt_thread_self.context_epoch = 10;
    gmt_thread_reset();
    assert_int_equal(gmt_thread_self.id, 0);
    assert_int_equal(gmt_thread_self.recorded, 0);
    assert_int_equal(gmt_thread_self.freeing, 0);
    assert_int_equal(gmt_thread_self.context_handle, 0);
    assert_int_equal(gmt_thread_self.context_epoch, 0);
    assert_int_equal(gmt_thread_id(), (uint32_t)syscall(SYS_gettid));
}

static void the_code_epoch_counts(void **state)
{
    (void)state;
    uint32_t before = gmt_code_epoch();
    gmt_code_epoch_advance();
    gmt_code_epoch_advance();
    assert_int_equal(gmt_code_epoch(), before + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_id_is_the_kernels),
        cmocka_unit_test(each_thread_has_its_own),
        cmocka_unit_test(reset_forgets_everything),
        cmocka_unit_test(the_code_epoch_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

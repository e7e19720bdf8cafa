/* A fork child forgets its parent's tracker without touching the parent's mapping, and has a file of its own. */
#include "track_fixture.h"

#include <dirent.h>
#include <unistd.h>

static unsigned files_in_folder(void)
{
    unsigned count = 0;
    DIR *directory = opendir(tracker_folder);
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory))
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static int start_anew(void *argument)
{
    (void)argument;
    gmt_tracker_forget(&tracker);
    if (gmt_tracker_header(&tracker) || gmt_tracker_path(&tracker)[0] != '\0')
        return 1;
    add(0x9000, 1); /* closed: nothing happens */
    if (gmt_tracker_open(&tracker, &tracker_setup) != 0)
        return 2;
    add(0x1000, 7);
    gmt_tracker_audit(&tracker);
    if (HEADER->pid != (uint32_t)getpid() || HEADER->parent_pid != (uint32_t)getppid())
        return 3;
    return RECORD(DEVICES, 0)->totals[GMT_SPACE_DEVICE].live_bytes == 7 && HEADER->next_sequence == 1 ? 0 : 4;
}

static void a_child_has_a_file_of_its_own(void **state)
{
    (void)state;
    add(0x1000, 100);
    assert_int_equal(gmt_child_run(start_anew, NULL), 0);
    assert_int_equal(files_in_folder(), 2);
    assert_int_equal(RECORD(DEVICES, 0)->totals[GMT_SPACE_DEVICE].live_bytes, 100);
    assert_int_equal(HEADER->next_sequence, 1);
}

/* Another thread of the parent was inside the tracker: its lock is never given back in the child. */
static void a_lock_taken_in_the_parent_is_free_in_the_child(void **state)
{
    (void)state;
    assert_true(gmt_tracker_enter(&tracker));
    int status = gmt_child_run(start_anew, NULL);
    gmt_tracker_leave(&tracker);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(a_child_has_a_file_of_its_own),
        TRACKER_TEST(a_lock_taken_in_the_parent_is_free_in_the_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

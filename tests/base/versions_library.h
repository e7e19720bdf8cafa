/* What versions_library.c exports; see there. */
#ifndef GMT_TESTS_VERSIONS_LIBRARY_H
#define GMT_TESTS_VERSIONS_LIBRARY_H

#pragma GCC visibility push(default)
int gmt_sample_plain(void);
int gmt_sample_weak(void);
extern int gmt_sample_data;
extern __thread int gmt_sample_thread_local;
int old_of_two(void);
int new_of_two(void);
int old_alone(void);
int gmt_sample_indirect(void);
#pragma GCC visibility pop

#endif

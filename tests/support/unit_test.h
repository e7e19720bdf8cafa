/* cmocka with what it needs included first, for every unit test. Its assertions belong on the main thread only: they
 * leave a failing test by longjmp. */
#ifndef GMT_TESTS_UNIT_TEST_H
#define GMT_TESTS_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The status with which a test program says that it could not run here; ctest shows it as skipped. */
#define GMT_TEST_SKIPPED 77

/* 1 in builds with a sanitizer that needs the address space for itself: RLIMIT_AS cannot be set there. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GMT_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GMT_TEST_SANITIZED 1
#endif
#endif
#ifndef GMT_TEST_SANITIZED
#define GMT_TEST_SANITIZED 0
#endif

#endif

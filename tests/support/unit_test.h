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

#endif

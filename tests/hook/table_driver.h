/* What the tests' driver of table_driver.c offers beside cuda.h: plans for its functions, and counts. Its state is the
 * library's own, so these must be looked up in it or bound to it like any of its functions. */
#ifndef GMT_TESTS_TABLE_DRIVER_H
#define GMT_TESTS_TABLE_DRIVER_H

#include <stdint.h>

/* What the next calls of the function with this exported name return; 0 is success and fills the out-parameters. */
void table_driver_plan(const char *name, int code);

/* The next call of that function calls its own exported name once, as a driver does whose old entry uses the new one.
 */
void table_driver_nest(const char *name);

/* Runs `callback` once, inside the next call of any function, before its out-parameters are filled. */
void table_driver_call_back(void (*callback)(void));

/* What errno is set to inside of each call. */
void table_driver_set_errno(int number);

/* Where the next allocations lie (and the handle of the next objects), and the handle of the next contexts. */
void table_driver_set_address(uint64_t address);
void table_driver_set_context(uint64_t handle);

/* The current context of every thread (0: none), and its device. At first 0xc0de00 on device 0. */
void table_driver_set_current(uint64_t handle, int device);

/* The stream that is being recorded, and into which graph; 0 is none. */
void table_driver_set_capture(uint64_t stream, uint64_t graph);

/* How often the function was entered, and where it really is; 0 and NULL for a name that is no row. */
unsigned table_driver_calls(const char *name);
void *table_driver_function(const char *name);

#endif

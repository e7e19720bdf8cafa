/* What the tests of the tracker share: a tracker on a scratch folder, a clock that stands still, events. */
#ifndef GMT_TESTS_TRACK_FIXTURE_H
#define GMT_TESTS_TRACK_FIXTURE_H

#include "support/unit_test.h"

#include "support/scratch.h"
#include "track/tracker_state.h"

/* Rows of the tests' own little table of entries. */
enum { ENTRY_INIT, ENTRY_ALLOC, ENTRY_FREE, ENTRY_MANAGED, ENTRY_CONTEXT, ENTRY_COUNT };

extern struct gmt_tracker tracker;
extern char tracker_folder[GMT_SCRATCH_BYTES];
extern uint64_t tracker_now; /* what the clock shows; 1000 when the trace begins */

/* The set-up that open_tracker uses; a test may change it before. */
extern struct gmt_tracker_setup tracker_setup;

/* cmocka's set-up and tear-down: opens `tracker`, closes it again after an audit. */
int open_tracker(void **state);
int close_tracker(void **state);

/* Opens it once more, as `tracker_setup` says, after a test has changed that. */
int reopen_tracker(void);

/* A stack of one frame of code that no file backs; equal numbers are equal stacks. */
uint32_t stack_number(unsigned number);

/* An allocation by ENTRY_ALLOC at stack_number(0), device 0, thread 42, without a context. */
struct gmt_event allocation(uint64_t address, uint64_t bytes);

/* Adds allocation(address, bytes). */
void add(uint64_t address, uint64_t bytes);

/* The same of another kind; added. */
struct gmt_event taking(enum gmt_kind kind, uint64_t address, uint64_t bytes);
uint32_t add_kind(enum gmt_kind kind, uint64_t address, uint64_t bytes);

const struct gmt_totals *device_totals(unsigned device, enum gmt_space space);

/* A free by ENTRY_FREE at stack_number(90), thread 43. */
struct gmt_event free_event(void);

/* Begins a free of what must live there; the test finishes it. */
struct gmt_taken begin_free(enum gmt_family family, uint64_t address);

/* Takes out what lives there by free_event(). free_block: memory. */
void free_of(enum gmt_family family, uint64_t address);
void free_block(uint64_t address);

/* True when a free finds nothing there. */
bool is_free(enum gmt_family family, uint64_t address);

#define HEADER (tracker.trace.header)
#define USED(section) (HEADER->sections[GMT_SECTION_##section].used)
#define RECORD(section, index) (&GMT_RECORDS(&tracker.trace, section)[index])
#define TROUBLES(name) (HEADER->troubles[GMT_TROUBLE_##name])

#define TRACKER_TEST(name) cmocka_unit_test_setup_teardown(name, open_tracker, close_tracker)

#endif

/* What a call of the table walk must have left: in the trace, and in the caller's variables. What is not so is told,
 * and counted in walk_faults. */
#ifndef GMT_TESTS_WALK_EXPECT_H
#define GMT_TESTS_WALK_EXPECT_H

#include <stdbool.h>

#include "trace_counts.h"
#include "walk_doors.h"

#define WALK_FOUND 0xd01 /* what the driver's look-ups give for cuDriverGetVersion: a pointer that is no row */

extern const struct gmt_trace_header *walk_trace; /* once it is open */
extern unsigned walk_faults;

void walk_expect(const struct walk_row *row, bool condition, const char *what);

/* What a call that succeeded adds to the counts, beside itself. */
struct trace_counts walk_addition_of(const struct walk_row *row);

void walk_expect_counts(const struct walk_row *row, const struct trace_counts *before, struct trace_counts added);

/* The block that the call took, or the state of the context that it was about. */
void walk_expect_block(const struct walk_row *row, const struct exchange *exchange);
void walk_expect_context(const struct walk_row *row, const struct exchange *exchange);

/* All out-parameters hold what the driver gave; none was written. */
void walk_expect_given(const struct walk_row *row, const struct exchange *exchange);
void walk_expect_untouched(const struct walk_row *row, const struct exchange *exchange);

#endif

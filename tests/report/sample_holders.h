/* Samples of what is left besides blocks of device memory; fixture_sample knows them by name. */
#ifndef GMT_TESTS_SAMPLE_HOLDERS_H
#define GMT_TESTS_SAMPLE_HOLDERS_H

#include "trace_fixture.h"

void add_objects_sample(struct fixture *fixture); /* "objects" */
void add_states_sample(struct fixture *fixture);  /* "states" */
void add_calls_sample(struct fixture *fixture);   /* "calls" */
void add_holders_sample(struct fixture *fixture); /* "holders" */

#endif

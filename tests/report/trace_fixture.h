/* Trace files for tests, record by record. Written against track/trace_file.h alone, not with the tracker's code: a
 * mistake of the tracker must not be repeated by what tests the reader. */
#ifndef GMT_TESTS_TRACE_FIXTURE_H
#define GMT_TESTS_TRACE_FIXTURE_H

#include <stddef.h>

#include "track/trace_file.h"

#define FIXTURE_SECTION_BYTES 4096u
#define FIXTURE_BYTES (4096u + GMT_SECTION_COUNT * FIXTURE_SECTION_BYTES)

/* The whole file in memory; `header` is its start. */
struct fixture {
    union {
        struct gmt_trace_header header;
        unsigned char bytes[FIXTURE_BYTES];
    };
};

/* An empty, complete trace of process 4711 ("./app") on host "testhost" that started at second 1700000000. */
void fixture_init(struct fixture *fixture);

gmt_string_id fixture_string(struct fixture *fixture, const char *string);

/* Reserves the next record of a section and returns its index; fixture_record gives its address. */
uint32_t fixture_add(struct fixture *fixture, enum gmt_section_id section);
void *fixture_record(struct fixture *fixture, enum gmt_section_id section, uint32_t index);

uint32_t fixture_entry(struct fixture *fixture, const char *name, uint64_t calls, uint64_t failures);
uint32_t fixture_module(struct fixture *fixture, const char *path, const char *build_id_hex);

/* A stack of `depth` frames given as module, offset pairs, innermost first. */
uint32_t fixture_stack(struct fixture *fixture, const uint64_t *pairs, uint32_t depth);

/* Device `ordinal`, named, with 8 GiB. */
struct gmt_device_record *fixture_device(struct fixture *fixture, uint32_t ordinal, const char *name);

uint32_t fixture_site(struct fixture *fixture, uint32_t entry, uint32_t stack, enum gmt_kind kind, uint32_t device);

/* A block of the site in that state, and the site's and device's sums as the tracker keeps them. */
void fixture_block(struct fixture *fixture, uint32_t site, uint64_t bytes, enum gmt_block_state state);

/* Bytes of the file that anything is stored in. */
size_t fixture_size(const struct fixture *fixture);

/* Writes the first `bytes` of the file; ends the test program when that fails. */
void fixture_write(const struct fixture *fixture, const char *path, size_t bytes);

/* The samples that golden tests use, by name; see sample_traces.c. Returns 0 for an unknown name. */
int fixture_sample(struct fixture *fixture, const char *name);

#endif

/* The header of a trace file: checked before anything else is read. */
#ifndef GMT_REPORT_TRACE_HEADER_H
#define GMT_REPORT_TRACE_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "report/sentence.h"
#include "track/trace_file.h"

/* Reads and checks the header of the open file at `path`. GMT_OK, or a refusal with a sentence. */
int gmt_trace_header_load(int fd, const char *path, struct gmt_trace_header *header_out, struct gmt_sentence *why_out);

/* Only the header of the file at `path`: cheap, for choosing among many files. False when it is not a readable trace.
 */
bool gmt_trace_header_read(const char *path, struct gmt_trace_header *header_out);

/* Bytes of one record of a section of this layout. */
uint64_t gmt_trace_record_bytes(enum gmt_section_id id);

#endif

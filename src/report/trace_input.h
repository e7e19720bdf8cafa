/* Reading bytes of trace files: files that may be cut, sparse, or no files at all. For trace_view.c and trace_header.c.
 */
#ifndef GMT_REPORT_TRACE_INPUT_H
#define GMT_REPORT_TRACE_INPUT_H

#include <stdint.h>
#include <sys/stat.h>

#include "report/sentence.h"

/* A descriptor of the regular file at `path`, or -1 with a sentence. Never waits, for any kind of file. */
int gmt_trace_input_open(const char *path, struct stat *status_out, struct gmt_sentence *why_out);

/* Reads [offset, offset + bytes) into `buffer` as far as the file has it. Returns how many bytes that was. */
uint64_t gmt_trace_input_read(int fd, void *buffer, uint64_t bytes, uint64_t offset);

/* The same into a zeroed buffer, without touching the parts of it that are holes in the file. */
uint64_t gmt_trace_input_read_stored(int fd, char *buffer, uint64_t bytes, uint64_t offset);

/* Where stored bytes go on at or after `offset`, at most `end`. A sparse file of petabytes costs what it stores. */
uint64_t gmt_trace_input_next(int fd, uint64_t offset, uint64_t end);

#endif

/* Drives a file through everything that reads trace files. */
#ifndef GMT_TESTS_REPORT_OF_BYTES_H
#define GMT_TESTS_REPORT_OF_BYTES_H

/* Opens the file, builds and names the model, and writes every format in every variant to nowhere. A refusal is fine.
 */
void report_of_file(const char *path);

#endif

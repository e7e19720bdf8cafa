/* A snippet is a small piece of work that a carrier brings to the driver in its own way. The same names and the same
 * sizes for every way; table.json says what is then left. */
#ifndef GMT_TESTS_SNIPPET_H
#define GMT_TESTS_SNIPPET_H

/* Runs a snippet through functions that this program or library is linked to. Ends the process when a call gives
 * another result than it must. */
void run_snippet(const char *name);

#endif

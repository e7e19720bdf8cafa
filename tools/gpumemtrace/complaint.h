/* What the command says when it cannot do what it was asked: one line on standard error. */
#ifndef GMT_TOOLS_COMPLAINT_H
#define GMT_TOOLS_COMPLAINT_H

/* Exit codes of the command's own making; see the man page's table. */
enum gmt_exit {
    GMT_EXIT_LEAKS = 23,
    GMT_EXIT_NOT_TRACED = 24,
    GMT_EXIT_OWN_ERROR = 125,
    GMT_EXIT_NOT_EXECUTABLE = 126,
    GMT_EXIT_NOT_FOUND = 127,
    GMT_EXIT_SIGNAL = 128, /* plus the signal's number */
};

/* Writes "gpumemtrace: " and the sentence, control characters escaped. */
void gmt_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

/* Environment variables, read without libc's getenv: programs define functions of that name. */
#ifndef GMT_BASE_ENVIRONMENT_H
#define GMT_BASE_ENVIRONMENT_H

/* The value of the variable, or NULL when it is not set, and in programs that run with rights their user has not. */
const char *gmt_environment_value(const char *name);

#endif

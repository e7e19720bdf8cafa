/* The tool's own error codes: functions return 0 or one of these, negated. Never shown to the traced program. */
#ifndef GMT_BASE_ERRORS_H
#define GMT_BASE_ERRORS_H

enum gmt_error {
    GMT_OK,
    GMT_E_NO_MEMORY,  /* the arena's cap is reached or the kernel refused */
    GMT_E_NO_STORAGE, /* the trace file's file system is full */
    GMT_E_REENTERED,  /* the calling thread holds the lock already (a signal handler) */
    GMT_E_TIMEOUT,    /* the lock stayed taken */
    GMT_E_INVALID,    /* what was read is not what it must be */
};

#endif

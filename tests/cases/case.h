/* What the programs of this folder share: `PROGRAM CASE` runs one small function, named after its case. A call that
 * must work and does not ends the program with 99 and says so; what is expected to fail is written without a check. */
#ifndef GMT_TESTS_CASES_CASE_H
#define GMT_TESTS_CASES_CASE_H

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

/* Of the runtime or of the driver. */
#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        int code_ = (int)(call);                                                                                       \
        if (code_ != 0) {                                                                                              \
            printf("%s returned %d\n", #call, code_);                                                                  \
            exit(99);                                                                                                  \
        }                                                                                                              \
    } while (0)

/* The code is the program's own business: the report has to tell it. */
#define MAY_FAIL(call) ((void)(call))

struct named_case {
    const char *name;
    void (*run)(void);
};

/* Runs the case that the first argument names. */
static inline int run_case(int argc, char **argv, const struct named_case *cases, size_t count)
{
    for (size_t i = 0; argc > 1 && i < count; i++) {
        if (strcmp(cases[i].name, argv[1]) != 0)
            continue;
        cases[i].run();
        return 0;
    }
    fprintf(stderr, "no such case: %s\n", argc > 1 ? argv[1] : "");
    return 98;
}

static inline void in_thread(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, function, argument));
    MUST(pthread_join(thread, NULL));
}

#endif

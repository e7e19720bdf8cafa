/* Checks of the tracer's own invariants: in development builds they end the process, in a release they are nothing. */
#ifndef GMT_BASE_ASSERT_H
#define GMT_BASE_ASSERT_H

#ifdef GMT_ASSERTIONS
#define GMT_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#define GMT_ASSERT(condition) ((void)sizeof(condition))
#endif

#endif

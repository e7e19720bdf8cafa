/* What a report says, free of any format: built from trace views, then named, then judged, then frozen. Writers read it
 * and compute nothing but layout. Sizes in bytes, times in nanoseconds since the start of their process. */
#ifndef GMT_REPORT_MODEL_H
#define GMT_REPORT_MODEL_H

#include "report/heap.h"
#include "report/model_calls.h"
#include "report/trace_view.h"

enum gmt_ended_by { GMT_ENDED_RUNNING, GMT_ENDED_EXIT, GMT_ENDED_EXEC, GMT_ENDED_SIGNAL, GMT_ENDED_GONE };

/* How the process ended. Filled from the trace file; whoever knows better (the parent) may correct it before judging.
 */
struct gmt_end_state {
    enum gmt_ended_by by;
    int status; /* exit status or signal number, -1 unknown */
};

enum gmt_result {
    GMT_RESULT_CLEAN,
    GMT_RESULT_LIVE,
    GMT_RESULT_LEAKS,
    GMT_RESULT_OUT_OF_MEMORY,
    GMT_RESULT_NOT_TRACED
};

/* The leak gate: passes, or the first of these reasons why not. */
enum gmt_gate { GMT_GATE_PASSED, GMT_GATE_NOT_TRACED, GMT_GATE_BYPASSED, GMT_GATE_LEAKS, GMT_GATE_INCOMPLETE };

struct gmt_verdict {
    enum gmt_result result;
    const char *sentence; /* without the program's name in front */
    const char *leaks;    /* with OUT_OF_MEMORY: a second sentence, about leaks; else NULL */
};

struct gmt_process {
    const struct gmt_trace_view *view;
    const char *program; /* as it was called, for sentences */
    const char *host, *executable, *arguments, *working_directory, *tool_version, *options; /* or NULL */
    struct gmt_end_state end;
    bool simulated;
    struct gmt_module *modules;
    struct gmt_stack *stacks;
    struct gmt_device *devices;
    struct gmt_site *sites;
    struct gmt_taker *takers;
    struct gmt_context *contexts;
    struct gmt_pool *pools;
    struct gmt_limit *limits;         /* oldest first */
    struct gmt_remains *remains;      /* everything that was not given back, by site and state */
    uint32_t *remains_of_block;       /* for each block of the view: one of `remains`, or GMT_NONE */
    const struct gmt_remains **leaks; /* those of them that are leaks, largest first */
    const struct gmt_remains **late;  /* those given back when the driver had shut down */
    struct gmt_object *objects;       /* most numerous first */
    struct gmt_import *imports;
    struct gmt_library *libraries; /* that hold anything, the largest leaks first; filled by naming */
    struct gmt_peak *peaks;
    struct gmt_failed_call *failures; /* most frequent first */
    struct gmt_oom *ooms;
    struct gmt_call *calls;
    struct gmt_client *clients;
    const char **notes;
    const char *jit_trouble; /* a clause about why code that no file backs has no names, or NULL; filled by naming */
    unsigned module_count, stack_count, device_count, site_count, taker_count, context_count, pool_count, limit_count,
        remains_count, leak_count, late_count, object_count, import_count, peak_count, failure_count, oom_count,
        call_count, client_count, note_count, library_count;
    uint64_t leak_bytes, leak_blocks, leak_sites; /* over all of `leaks` */
    uint64_t block_count;                         /* blocks of memory ever taken by calls */
    uint64_t kind_left[GMT_KIND_COUNT]; /* objects of each kind that are still there, without those that the runtime
                                           makes and keeps for itself; filled by naming */
    uint64_t failed_count;              /* calls that failed; frees of null, late and exported ones apart */
    uint64_t null_count;                /* frees of null */
    unsigned doubt_count;               /* notes that put figures in doubt */
    unsigned missing_count;             /* of these, notes about blocks that may be missing */
    uint64_t freeing_count;             /* blocks whose free was under way */
    uint64_t destroying_count;          /* the same of objects */
    struct gmt_verdict verdict;
};

struct gmt_report {
    struct gmt_process *processes;
    unsigned process_count;
    const char *target; /* what was run, for sentences when no process was traced; or NULL */
    const char **notes; /* about the report as a whole */
    unsigned note_count;
    bool is_last_look; /* the trace files go away with this report */
    bool gate_checked; /* the leak gate was asked for; then `gate` is its result */
    enum gmt_gate gate;
    struct gmt_verdict verdict;
    struct gmt_heap heap;
};

/* An empty report for at most `process_count` processes. */
void gmt_report_init(struct gmt_report *report, unsigned process_count);

/* Adds the process of `view`, which must stay open as long as the report. Returns it, for its end to be corrected. */
struct gmt_process *gmt_report_add(struct gmt_report *report, const struct gmt_trace_view *view);

/* Adds a sentence about the report as a whole. */
void gmt_report_note(struct gmt_report *report, const char *sentence);

/* Leaks of a process that has ended; 0 for one that runs. */
uint64_t gmt_process_leaked_blocks(const struct gmt_process *process);

/* It is a failure, not a note: no free of null, none that came too late, none of what is exported. */
bool gmt_failed_call_counts(const struct gmt_failed_call *call);

/* Driver functions that led past the hooks. */
uint64_t gmt_process_bypassed(const struct gmt_process *process);

void gmt_report_drop(struct gmt_report *report);

/* Objects of this many at one site are numerous: worth a word even when nothing else is wrong. */
#define GMT_OBJECTS_NUMEROUS 10000u

/* Frees of null of this many are worth a word. */
#define GMT_NULL_FREES_MANY 1000u

/* True for a module that the runtime loaded by itself, on behalf of another call; after naming. */
bool gmt_object_is_implicit(const struct gmt_object *object);

#endif

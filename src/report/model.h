/* What a report says, free of any format: built from trace views, then named, then judged, then frozen. Writers read it
 * and compute nothing but layout. Sizes in bytes, times in nanoseconds since the start of their process. */
#ifndef GMT_REPORT_MODEL_H
#define GMT_REPORT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/heap.h"
#include "report/trace_view.h"
#include "track/trace_file.h"

/* Whose code a frame is; only USER frames are the program's own. See frame_rules.def. */
enum gmt_frame_class { GMT_FRAME_USER, GMT_FRAME_CUDA, GMT_FRAME_TRACER, GMT_FRAME_SYSTEM, GMT_FRAME_PLUMBING };

struct gmt_module {
    const char *path; /* never NULL; "unknown module" when the file does not say */
    const char *name; /* last part of path */
    uint8_t build_id[20];
    unsigned build_id_bytes;  /* 0 when it has none */
    const char *build_id_hex; /* NULL when it has none */
    const char *trouble;      /* a clause about why its code has no names, or NULL; filled by naming */
    bool lacks_lines_only;    /* trouble is why it has no lines; names it has */
};

struct gmt_frame {
    const char *function; /* demangled, or NULL */
    const char *file;     /* or NULL */
    uint32_t line;        /* 0 unknown */
    bool inlined;         /* this function was inlined into that of the next frame */
    enum gmt_frame_class belongs_to;
    const struct gmt_module *module; /* NULL for code that no file backs; then offset is an address */
    uint64_t offset;
};

struct gmt_stack {
    const struct gmt_frame *frames; /* innermost first; filled by naming */
    unsigned count;
    unsigned depth;       /* code addresses that the frames were made from: without inlined functions */
    int user;             /* index of the first frame of the program's own code, or -1 */
    unsigned shown_first; /* [shown_first, shown_end): without leading frames that are not the program's own, and
                             start-up code */
    unsigned shown_end;
    bool cut;        /* outermost frames were beyond the depth */
    bool incomplete; /* the unwinder stopped early */
    bool wanted;     /* something of the report refers to it */
    uint32_t record; /* its index in the trace file */
};

struct gmt_device {
    uint32_t ordinal;
    const char *name; /* or NULL */
    uint8_t uuid[16]; /* all zero when unknown */
    uint64_t total_bytes;
    struct gmt_totals totals[GMT_SPACE_COUNT]; /* live figures are recomputed from the blocks */
};

struct gmt_site {
    uint32_t id;       /* index in the trace file */
    const char *api;   /* as the user wrote it: "cudaMalloc"; filled by naming */
    const char *entry; /* the driver's function: "cuMemAlloc_v2" */
    enum gmt_kind kind;
    const struct gmt_device *device;       /* or NULL */
    const struct gmt_stack *stack;         /* or NULL */
    const struct gmt_module *library;      /* which object holds what it took, or NULL; filled by naming */
    uint64_t live_bytes, live_count;       /* recomputed from the blocks */
    uint64_t peak_bytes;                   /* own high-water mark */
    uint64_t at_peak_bytes, at_peak_count; /* at the high-water mark of its device and space */
    uint64_t total_bytes, total_count;
    uint64_t first_ns, last_ns;
};

enum gmt_leak_state { GMT_LEAK_LIVE, GMT_LEAK_RELEASE, GMT_LEAK_RESET, GMT_LEAK_DESTROY, GMT_LEAK_STATE_COUNT };

/* Blocks of one site that nobody freed, in one state. Of a running process: blocks that are live. */
struct gmt_leak {
    const struct gmt_site *site;
    enum gmt_leak_state state;
    uint64_t bytes, count;
    uint64_t smallest, largest;
    uint64_t first_ns, last_ns; /* oldest and newest block */
};

struct gmt_holding {
    uint64_t bytes, count;
    uint64_t host_bytes; /* of `bytes`: pinned host memory */
};

/* What one shared object holds: blocks of the sites whose stacks name it first. */
struct gmt_library {
    const struct gmt_module *module; /* NULL for sites whose stacks name none */
    struct gmt_holding live;
    struct gmt_holding leaked; /* what `leaks` says of its sites */
};

struct gmt_share {
    const struct gmt_site *site;
    uint64_t bytes, count;
};

/* Who held one space of one device at its high-water mark, largest first. */
struct gmt_peak {
    const struct gmt_device *device;
    enum gmt_space space;
    uint64_t bytes, count, time_ns;
    struct gmt_share *shares;
    unsigned share_count;
};

struct gmt_failed_call {
    const char *api, *entry; /* as in struct gmt_site */
    enum gmt_failure_kind kind;
    int32_t code;
    uint64_t count, first_ns, last_ns, last_address, last_bytes;
    const struct gmt_stack *stack;
    const struct gmt_site *near_site; /* or NULL */
    uint64_t near_address, near_bytes;
};

struct gmt_oom {
    uint32_t index; /* in the trace file */
    const char *api, *entry;
    int32_t code;
    const struct gmt_device *device; /* or NULL */
    const struct gmt_stack *stack;
    uint64_t time_ns, request_bytes;
    uint64_t free_bytes, total_bytes; /* UINT64_MAX unknown */
    bool recovered;                   /* an allocation on the device succeeded afterwards */
    struct gmt_totals totals[GMT_SPACE_COUNT];
    struct gmt_share top[GMT_OOM_TOP_SITES];
    unsigned top_count;
};

/* CUresult of a request that did not fit. */
#define GMT_CODE_OUT_OF_MEMORY 2

/* One followed function that was called. */
struct gmt_call {
    const char *name;
    uint64_t calls, failures;
};

/* One caller of the driver. */
struct gmt_client {
    const struct gmt_module *module; /* or NULL */
    uint64_t uses[GMT_DOOR_COUNT];
};

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
    struct gmt_leak *leaks;        /* largest first */
    struct gmt_library *libraries; /* that hold anything, the largest leaks first; filled by naming */
    struct gmt_peak *peaks;
    struct gmt_failed_call *failures; /* most frequent first */
    struct gmt_oom *ooms;
    struct gmt_call *calls;
    struct gmt_client *clients;
    const char **notes;
    const char *jit_trouble; /* a clause about why code that no file backs has no names, or NULL; filled by naming */
    unsigned module_count, stack_count, device_count, site_count, leak_count, peak_count, failure_count, oom_count,
        call_count, client_count, note_count, library_count;
    uint64_t leak_bytes, leak_blocks, leak_sites; /* over all of `leaks` */
    uint64_t block_count;                         /* blocks ever taken */
    uint64_t failed_count;                        /* calls that failed, frees of null apart */
    unsigned doubt_count;                         /* notes that put figures in doubt */
    unsigned missing_count;                       /* of these, notes about blocks that may be missing */
    uint64_t freeing_count;                       /* blocks whose free was under way */
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

/* Driver functions that led past the hooks. */
uint64_t gmt_process_bypassed(const struct gmt_process *process);

void gmt_report_drop(struct gmt_report *report);

/* Name for JSON and words for sentences of each value. */
const char *gmt_kind_json(enum gmt_kind kind);
const char *gmt_kind_words(enum gmt_kind kind);
enum gmt_space gmt_kind_space(enum gmt_kind kind);
const char *gmt_space_json(enum gmt_space space);
const char *gmt_space_words(enum gmt_space space);

#endif

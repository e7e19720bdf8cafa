/* Code: files that it ran from, frames, call stacks. */
#ifndef GMT_REPORT_MODEL_CODE_H
#define GMT_REPORT_MODEL_CODE_H

#include <stdbool.h>
#include <stdint.h>

/* Whose code a frame is; only USER frames are the program's own. See frame_rules.def. */
enum gmt_frame_class { GMT_FRAME_USER, GMT_FRAME_CUDA, GMT_FRAME_TRACER, GMT_FRAME_SYSTEM, GMT_FRAME_PLUMBING };

struct gmt_module {
    const char *path; /* never NULL; "unknown module" when the file does not say */
    const char *name; /* last part of path */
    uint8_t build_id[20];
    unsigned build_id_bytes;  /* 0 when it has none */
    const char *build_id_hex; /* NULL when it has none */
    bool unloaded;            /* its code was gone when that was last looked at */
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

/* A followed function and where it was called from. */
struct gmt_caller {
    const char *api;               /* as the user wrote it: "cudaMalloc"; filled by naming */
    const char *entry;             /* the driver's function: "cuMemAlloc_v2"; NULL when nobody was seen */
    const struct gmt_stack *stack; /* or NULL */
};

#endif

/* The trace file: what one process's device memory did, as plain records in a mapped file. Data only, no functions that
 * change it. The tracker writes it, everything else reads it. Layout version GMT_TRACE_VERSION; a reader refuses
 * others.
 *
 * Rules for readers: the writer may die or go on at any instant. A record counts only when its `state` (or `used` of
 * its section) says so; never trust an index or a string without checking it against the section; never wait for a
 * value. */
#ifndef GMT_TRACK_TRACE_FILE_H
#define GMT_TRACK_TRACE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#define GMT_TRACE_MAGIC "gmtrace"        /* 8 bytes with the NUL */
#define GMT_TRACE_VERSION 2              /* changes with every change of this file */
#define GMT_TRACE_BYTE_ORDER 0x01020304u /* as written by the traced machine */
#define GMT_TRACE_SUFFIX ".gmt"

/* An offset into the STRINGS section of a NUL-terminated string; 0 is "not known" (and the empty string). */
typedef uint32_t gmt_string_id;

/* Indexes of records start at 0 within their section; this one means "none". */
#define GMT_NONE UINT32_MAX

enum gmt_kind {
#define GMT_KIND(name, json, words, space, family, life, rest) GMT_KIND_##name,
#include "track/trace_kinds.def"
#undef GMT_KIND
    GMT_KIND_COUNT
};

/* Whose memory a kind takes; totals and peaks are kept for each apart. X(NAME, "json_name", "words") */
#define GMT_SPACES(X)                                                                                                  \
    X(DEVICE, "device", "device memory")                                                                               \
    X(MANAGED, "managed", "managed memory")                                                                            \
    X(HOST, "host", "pinned host memory")                                                                              \
    X(IMPORTED, "imported", "memory of others")                                                                        \
    X(ADDRESSES, "addresses", "address space")                                                                         \
    X(OBJECT, "objects", "objects")

enum gmt_space {
#define X(name, json, words) GMT_SPACE_##name,
    GMT_SPACES(X)
#undef X
        GMT_SPACE_COUNT
};

/* What addresses and handles are looked up in: equal numbers of two families are two things. */
#define GMT_FAMILIES(X)                                                                                                \
    X(ADDRESS)                                                                                                         \
    X(REGISTRATION)                                                                                                    \
    X(IPC)                                                                                                             \
    X(ARRAY)                                                                                                           \
    X(MIPMAP)                                                                                                          \
    X(HANDLE)                                                                                                          \
    X(MAPPING)                                                                                                         \
    X(RESERVATION)                                                                                                     \
    X(EXTERNAL_MEMORY)                                                                                                 \
    X(EXTERNAL_SEMAPHORE)                                                                                              \
    X(VARIABLE)                                                                                                        \
    X(MODULE)                                                                                                          \
    X(LIBRARY)                                                                                                         \
    X(STREAM)                                                                                                          \
    X(EVENT)                                                                                                           \
    X(TEXTURE)                                                                                                         \
    X(SURFACE)                                                                                                         \
    X(TEXTURE_REFERENCE)                                                                                               \
    X(GRAPH)                                                                                                           \
    X(GRAPH_EXEC)                                                                                                      \
    X(POOL)                                                                                                            \
    X(GREEN_CONTEXT)

enum gmt_family {
#define X(name) GMT_FAMILY_##name,
    GMT_FAMILIES(X)
#undef X
        GMT_FAMILY_COUNT
};

/* The driver counts texture and surface objects in each context from 1 on. What tells those of all contexts apart has
 * the context's index, from 1 on, in its upper 16 bits; it is made and taken apart here. */
static inline uint64_t gmt_handle_in_context(uint64_t handle, uint32_t context)
{
    return handle == 0 || handle >> 48 != 0 || context >= UINT16_MAX ? handle : (uint64_t)(context + 1) << 48 | handle;
}

/* An address or a handle as the program has it. */
static inline uint64_t gmt_handle_of_program(enum gmt_family family, uint64_t address)
{
    bool counted = family == GMT_FAMILY_TEXTURE || family == GMT_FAMILY_SURFACE;
    return counted ? address & 0xffffffffffff : address;
}

/* Until when a thing of a kind lasts that nobody gives back, and what it then is; see trace_kinds.def. */
enum gmt_life { GMT_LIFE_CONTEXT, GMT_LIFE_PROCESS };
enum gmt_rest { GMT_REST_LEAK, GMT_REST_LEFT, GMT_REST_STAYS };

/* The sections of the file, in file order. X(NAME, record type) */
#define GMT_TRACE_SECTIONS(X)                                                                                          \
    X(STRINGS, char)                                                                                                   \
    X(ENTRIES, struct gmt_entry_record)                                                                                \
    X(DEVICES, struct gmt_device_record)                                                                               \
    X(CONTEXTS, struct gmt_context_record)                                                                             \
    X(THREADS, struct gmt_thread_record)                                                                               \
    X(MODULES, struct gmt_module_record)                                                                               \
    X(CLIENTS, struct gmt_client_record)                                                                               \
    X(FRAMES, struct gmt_frame_record)                                                                                 \
    X(STACKS, struct gmt_stack_record)                                                                                 \
    X(SITES, struct gmt_site_record)                                                                                   \
    X(FAILURES, struct gmt_failure_record)                                                                             \
    X(OOMS, struct gmt_oom_record)                                                                                     \
    X(POOLS, struct gmt_pool_record)                                                                                   \
    X(LIMITS, struct gmt_limit_record)                                                                                 \
    X(FREED, struct gmt_freed_record)                                                                                  \
    X(BLOCKS, struct gmt_block_record)

enum gmt_section_id {
#define X(name, type) GMT_SECTION_##name,
    GMT_TRACE_SECTIONS(X)
#undef X
        GMT_SECTION_COUNT
};

/* Where a section lies. Records [0, used) have been handed out; `used` only grows. */
struct gmt_trace_section {
    uint64_t offset;       /* bytes from the start of the file, page-aligned */
    uint64_t record_bytes; /* sizeof the record type */
    uint64_t capacity;     /* records that fit */
    uint64_t used;         /* records handed out, <= capacity */
    uint64_t backed;       /* bytes of the section with storage behind them */
    uint64_t dropped;      /* records that did not fit or had no storage */
};

/* How a process ended, as far as its own trace file knows. The command adds what it saw as the parent. */
enum gmt_end { GMT_END_RUNNING, GMT_END_EXIT, GMT_END_EXEC };

/* Things that went wrong inside the tracer itself; counted, reported, never fatal. X(NAME, "sentence, %llu is the
 * count") */
#define GMT_TRACE_TROUBLES(X)                                                                                          \
    X(LOCK_REENTERED, "%llu events were dropped because they came from a signal handler inside the tracer")            \
    X(LOCK_TIMEOUT, "%llu events were dropped because the tracer's lock stayed taken")                                 \
    X(NO_MEMORY, "%llu events were dropped because the tracer's own memory (max_memory) was used up")                  \
    X(BLOCKS_FULL, "%llu blocks were not recorded because the table of live blocks (max_blocks) was full")             \
    X(SITES_FULL, "%llu events have no call site because the table of call sites was full")                            \
    X(STORAGE_FULL, "%llu records were lost because the file system of the trace file was full")                       \
    X(ADDRESS_REUSED, "%llu blocks were handed out again by the driver although no free was seen")                     \
    X(STACKS_CUT, "%llu call stacks were deeper than the option depth and lost their outermost frames")

enum gmt_trouble {
#define X(name, sentence) GMT_TROUBLE_##name,
    GMT_TRACE_TROUBLES(X)
#undef X
        GMT_TROUBLE_COUNT
};

/* Bits of gmt_trace_header.flags. */
#define GMT_TRACE_SIMULATED 1u /* the driver is the simulated device, not a GPU */
#define GMT_TRACE_ANONYMOUS 2u /* no file: anonymous memory, does not survive the process */
#define GMT_TRACE_READY 4u     /* the header is complete */

struct gmt_trace_header {
    char magic[8];
    uint32_t version;
    uint32_t byte_order;
    uint32_t header_bytes; /* sizeof(struct gmt_trace_header) */
    uint32_t flags;
    uint64_t file_bytes; /* apparent size; the file is sparse */
    struct gmt_trace_section sections[GMT_SECTION_COUNT];

    /* The process. */
    uint32_t pid;
    uint32_t parent_pid;
    int32_t rank;                 /* from the launcher's environment (OMPI, PMI, SLURM, torchrun), else -1 */
    uint32_t end;                 /* enum gmt_end */
    int32_t exit_status;          /* valid with GMT_END_EXIT when known, else -1 */
    int32_t driver_version;       /* as cuDriverGetVersion: 13000 is 13.0; 0 unknown */
    uint64_t start_unix_ns;       /* wall clock when the trace began; every other time counts from here */
    uint64_t start_monotonic_ns;  /* CLOCK_MONOTONIC_COARSE at the same instant */
    uint64_t process_start_ticks; /* field 22 of /proc/PID/stat: tells a recycled pid apart */
    uint64_t last_event_ns;       /* time of the newest event */
    uint64_t end_ns;              /* time of the end, when end != RUNNING */
    gmt_string_id host;           /* gethostname */
    gmt_string_id executable;     /* path of the main program */
    gmt_string_id arguments;      /* argv, as one line with shell quoting */
    gmt_string_id working_directory;
    gmt_string_id tool_version;
    gmt_string_id options; /* GMT_OPTIONS as given */

    /* Coverage and own cost. */
    uint64_t bypassed;           /* table names that led to a function which is no row */
    gmt_string_id bypassed_name; /* the first such name */
    uint32_t first_init_stack;   /* stack of the first successful cuInit, or GMT_NONE */
    uint64_t own_bytes;          /* host memory of the tracer's indexes, without this file */
    uint64_t troubles[GMT_TROUBLE_COUNT];
    uint64_t next_sequence; /* number of the next block; also the count of blocks ever recorded */
};

/* One followed CUDA function. Index = its row in hook/entry_points.def. */
struct gmt_entry_record {
    gmt_string_id name; /* exported name: "cuMemAlloc_v2" */
    uint32_t reserved;
    uint64_t calls;    /* that reached the driver through a hook */
    uint64_t failures; /* that returned an error */
};

/* Sums over blocks of one space on one device. */
struct gmt_totals {
    uint64_t live_bytes;
    uint64_t live_count;
    uint64_t peak_bytes; /* high-water mark of live_bytes */
    uint64_t peak_count; /* live_count at that instant */
    uint64_t peak_ns;
    uint64_t peak_generation; /* number of times the mark moved; see gmt_site_record */
    uint64_t total_bytes;     /* ever taken */
    uint64_t total_count;
};

/* Index = device ordinal of the process. */
struct gmt_device_record {
    uint32_t state; /* 0 not seen, 1 seen */
    gmt_string_id name;
    uint64_t total_bytes; /* of the device, 0 unknown */
    uint8_t uuid[16];
    struct gmt_totals totals[GMT_SPACE_COUNT];
};

enum gmt_context_state {
    GMT_CONTEXT_UNSEEN,
    GMT_CONTEXT_LIVE,
    GMT_CONTEXT_RELEASED,  /* the last reference of a primary context was given back */
    GMT_CONTEXT_RESET,     /* cudaDeviceReset, cuDevicePrimaryCtxReset */
    GMT_CONTEXT_DESTROYED, /* cuCtxDestroy, or the last cuCtxDetach */
};

struct gmt_context_record {
    uint64_t handle; /* as the program sees it; may come back for a later context */
    uint32_t state;  /* enum gmt_context_state */
    uint32_t device;
    uint32_t primary;       /* 1 for a device's primary context */
    int32_t references;     /* of a reset one: those it kept, until it is used again */
    uint32_t created_stack; /* or GMT_NONE when its creation was not seen */
    uint32_t ended_stack;
    uint32_t created_entry; /* the function that made it; valid with created_stack */
    uint32_t ended_entry;
    uint64_t created_ns;
    uint64_t ended_ns;
};

/* A file that code ran from. The same file loaded again is the same module. */
struct gmt_module_record {
    gmt_string_id path;      /* absolute; "[vdso]" and the like as the kernel names them */
    uint32_t build_id_bytes; /* 0 when it has none */
    uint8_t build_id[20];
    uint32_t epoch;       /* count of dlclose calls when it was first seen */
    uint32_t unloaded;    /* 1 while it is not loaded: its code is gone */
    uint64_t unloaded_ns; /* when that was noticed */
    uint64_t base;        /* load address when last seen loaded */
};

enum gmt_thread_state { GMT_THREAD_UNUSED, GMT_THREAD_RUNNING, GMT_THREAD_ENDED };

/* A thread that took something. Whether it still runs is looked at when a report is due and when the process ends. */
struct gmt_thread_record {
    uint32_t state;       /* enum gmt_thread_state, as of checked_ns */
    uint32_t id;          /* kernel thread id */
    uint64_t start_ticks; /* field 22 of /proc/PID/task/TID/stat: tells a recycled id apart; 0 unknown */
    uint64_t first_ns;    /* first event */
    uint64_t checked_ns;  /* when state was last known to be right */
    gmt_string_id name;   /* as the thread called itself at its first event */
    uint32_t reserved;
};

/* Who asked for driver functions, and how. */
enum gmt_door { GMT_DOOR_SYMBOL, GMT_DOOR_DLSYM, GMT_DOOR_GET_PROC_ADDRESS, GMT_DOOR_COUNT };

struct gmt_client_record {
    uint32_t state;                /* 0 unused, 1 used */
    uint32_t module;               /* the caller's, or GMT_NONE */
    uint64_t uses[GMT_DOOR_COUNT]; /* SYMBOL: direct calls seen first by a row (at most one per row and module); others:
                                      look-ups answered */
};

/* One frame of a stack: a return address less 1, so that it lies inside the call instruction. */
struct gmt_frame_record {
    uint64_t offset; /* bytes from the module's load base; an absolute address when module is GMT_NONE */
    uint32_t module; /* index in MODULES, or GMT_NONE for code that no file backs */
    uint32_t reserved;
};

#define GMT_STACK_CUT 1u        /* outermost frames beyond the depth are missing */
#define GMT_STACK_INCOMPLETE 2u /* the unwinder stopped before the thread's first frame */

struct gmt_stack_record {
    uint32_t first_frame; /* innermost: the caller of the CUDA function */
    uint32_t depth;
    uint32_t flags;
    uint32_t reserved;
};

/* Blocks or objects taken by one function at one stack on one device. */
struct gmt_site_record {
    uint32_t state; /* 0 being written, 1 valid */
    uint32_t stack;
    uint16_t entry;
    uint8_t kind; /* enum gmt_kind */
    uint8_t reserved;
    uint32_t device; /* ordinal, or GMT_NONE */
    uint64_t live_bytes;
    uint64_t live_count;
    uint64_t peak_bytes; /* own high-water mark */
    uint64_t total_bytes;
    uint64_t total_count;
    uint64_t first_ns;
    uint64_t last_ns;     /* newest block */
    uint32_t freed_stack; /* of the newest free of one of its blocks, or GMT_NONE */
    uint32_t freed_entry;
    /* What the site held when its device and space were at their high-water mark: copied before the site's first change
     * after the mark moved. While `at_peak_generation` differs from the totals' `peak_generation`, nothing changed
     * since, and live_bytes and live_count are the answer. Use gmt_site_at_peak. */
    uint64_t at_peak_bytes;
    uint64_t at_peak_count;
    uint64_t at_peak_generation;
};

/* X(NAME, "json_name") */
#define GMT_FAILURE_KINDS(X)                                                                                           \
    X(FAILED, "failed")     /* the call returned an error */                                                           \
    X(STRAY, "stray")       /* given back what nothing live starts at */                                               \
    X(NULL, "null")         /* a free of null */                                                                       \
    X(DOUBLE, "double")     /* given back a second time */                                                             \
    X(LATE, "late")         /* given back after the driver had shut down */                                            \
    X(EXPORTED, "exported") /* no error: given back while another process may have it open */

enum gmt_failure_kind {
#define X(name, json) GMT_FAILURE_##name,
    GMT_FAILURE_KINDS(X)
#undef X
        GMT_FAILURE_COUNT
};

/* What the address of a stray free is. */
enum gmt_address_is {
    GMT_ADDRESS_UNKNOWN,
    GMT_ADDRESS_INSIDE_BLOCK, /* not at the start of the block in near_* */
    GMT_ADDRESS_STACK,        /* of the calling thread's own stack */
    GMT_ADDRESS_HOST,         /* readable memory of the process */
    GMT_ADDRESS_OTHER_FAMILY, /* something live of another family starts there: near_* */
    GMT_ADDRESS_ENDED,        /* what started there ended with its context, without a free: near_* */
    GMT_ADDRESS_COUNT
};

/* Calls that failed in the same way at the same stack. */
struct gmt_failure_record {
    uint32_t state; /* 0 being written, 1 valid */
    uint32_t stack;
    uint16_t entry;
    uint16_t kind; /* enum gmt_failure_kind */
    int32_t code;  /* CUresult */
    uint64_t count;
    uint64_t first_ns;
    uint64_t last_ns;
    uint64_t last_address; /* of the last free (STRAY, DOUBLE: the last one that near_* were looked up for), else 0 */
    uint64_t last_bytes;   /* of the last request, else 0 */
    uint32_t last_thread;  /* index in THREADS, or GMT_NONE */
    uint16_t address_is;   /* STRAY: enum gmt_address_is of last_address */
    uint16_t no_context;   /* 1 when the last one came from a thread without a current context */
    /* What the call was about, as far as known. STRAY: the nearest block that starts at or below last_address. DOUBLE:
     * the block that was freed before. FAILED frees, LATE, EXPORTED: the block itself. A refused registration: the one
     * that is in its way. */
    uint32_t near_site;    /* its site, or GMT_NONE */
    uint32_t near_stack;   /* DOUBLE: of the first free. EXPORTED: of the export. Else GMT_NONE */
    uint64_t near_address; /* where it starts */
    uint64_t near_bytes;   /* its size */
    uint64_t near_ns;      /* when that was */
};

#define GMT_OOM_TOP_SITES 16
#define GMT_OOM_TOP_OBJECTS 4

/* One out-of-memory error, with what was live then. */
struct gmt_oom_record {
    uint32_t state; /* 0 being written, 1 valid */
    uint32_t stack;
    uint16_t entry;
    uint16_t top_count; /* entries of top[] in use */
    int32_t code;
    uint32_t device;        /* or GMT_NONE */
    uint32_t later_success; /* 1 when an allocation on this device succeeded afterwards: the program went on */
    uint64_t time_ns;
    uint64_t request_bytes;
    uint64_t free_bytes;                       /* as the driver said right after the failure; UINT64_MAX unknown */
    uint64_t total_bytes;                      /* likewise */
    struct gmt_totals totals[GMT_SPACE_COUNT]; /* of the device at that moment */
    struct {                                   /* sites with the most live bytes on the device, largest first */
        uint32_t site;
        uint32_t reserved;
        uint64_t live_bytes;
        uint64_t live_count;
    } top[GMT_OOM_TOP_SITES];
    uint64_t live_of_kind[GMT_KIND_COUNT]; /* live blocks or objects of each kind, on all devices */
    uint32_t objects[GMT_OOM_TOP_OBJECTS]; /* sites with the most live objects, most first; GMT_NONE ends the list */
    uint64_t object_counts[GMT_OOM_TOP_OBJECTS];
};

enum gmt_pool_state { GMT_POOL_UNUSED, GMT_POOL_LIVE, GMT_POOL_DESTROYED };
enum gmt_pool_type { GMT_POOL_DEFAULT, GMT_POOL_CREATED, GMT_POOL_IMPORTED, GMT_POOL_GRAPHS };

/* A pool of stream-ordered memory, or of a device's graphs. Figures are those of the last sample: taken at
 * out-of-memory errors and before the program itself resets or destroys a context, never during a capture. */
struct gmt_pool_record {
    uint32_t state;           /* enum gmt_pool_state */
    uint32_t type;            /* enum gmt_pool_type */
    uint64_t handle;          /* 0 for GRAPHS */
    uint32_t device;          /* or GMT_NONE */
    uint32_t threshold_stack; /* who set the release threshold last, or GMT_NONE when nobody did */
    uint32_t threshold_entry;
    uint32_t trim_stack;      /* who trimmed it last, or GMT_NONE */
    uint64_t threshold_bytes; /* UINT64_MAX keeps everything */
    uint64_t threshold_ns;
    uint64_t trim_count;
    uint64_t trim_ns;
    uint64_t reserved_bytes; /* taken from the device */
    uint64_t used_bytes;     /* of them, handed to the program */
    uint64_t reserved_high_bytes;
    uint64_t used_high_bytes;
    uint64_t sample_ns; /* when these were read; 0 never */
};

/* A change of a limit of a context (cudaDeviceSetLimit, cuCtxSetLimit) that succeeded. */
struct gmt_limit_record {
    uint32_t state;     /* 0 being written, 1 valid */
    uint32_t limit;     /* CUlimit */
    uint64_t old_value; /* UINT64_MAX unknown */
    uint64_t new_value; /* as the driver set it: it may round */
    uint32_t context;
    uint32_t device;
    uint32_t stack;
    uint32_t entry;
    uint64_t time_ns; /* of the last of `count` equal changes */
    uint64_t count;
};

/* Something that was given back lately: what a second free of it is known by. The record goes when the address is
 * handed out again, or when a newer one needs its place. */
struct gmt_freed_record {
    uint64_t address;
    uint64_t bytes;
    uint64_t time_ns; /* of the free; 0 marks an unused record */
    uint32_t site;
    uint32_t stack; /* of the free, or GMT_NONE */
    uint32_t family;
    uint32_t thread;
};
#define GMT_FREED_WAYS 4 /* records that one address may lie in */

enum gmt_block_state {
    GMT_BLOCK_UNUSED, /* never used, or given back: the record may be used again */
    GMT_BLOCK_LIVE,
    GMT_BLOCK_FREEING, /* being given back, the driver is at it; LIVE again if it fails */
    GMT_BLOCK_ENDED,   /* its context ended without a free; the context says how */
    GMT_BLOCK_LATE,    /* the program gave it back when the driver had shut down: gone with the process */
};

/* Bits of gmt_block_record.flags. */
#define GMT_BLOCK_EXPORTED 1u   /* another process may have it open; note_stack is who exported it */
#define GMT_BLOCK_ACCESSIBLE 2u /* of a mapping: access was set */
#define GMT_BLOCK_UNMAPPED 4u   /* of a registration: the program unmapped (part of) the range */

struct gmt_block_record {
    uint64_t address; /* or handle, see gmt_handle_in_context; unique among the live ones of the family of its kind */
    uint64_t bytes;   /* as requested by the program (pitched: returned pitch × height); 0 for objects */
    uint64_t time_ns;
    uint64_t sequence; /* 1 is the first block of the process */
    uint32_t site;
    uint32_t context;    /* index in CONTEXTS, or GMT_NONE */
    uint32_t thread;     /* index in THREADS, or GMT_NONE */
    uint32_t state;      /* enum gmt_block_state; written last */
    uint32_t owner;      /* what it is part of, an index in BLOCKS: the memory of a mapping, the module of a variable */
    uint32_t references; /* a handle of physical memory, an opened import: how often it must be given back */
    uint32_t mappings;   /* of physical memory: live only by them when references are 0 */
    uint32_t flags;
    uint32_t note_stack;  /* see flags, or GMT_NONE */
    uint32_t failed_next; /* the failure (index in FAILURES) that its thread met right after taking it, or GMT_NONE */
};

struct gmt_kind_facts {
    const char *json, *words;
    enum gmt_space space;
    enum gmt_family family;
    enum gmt_life life;
    enum gmt_rest rest;
};

/* The row of trace_kinds.def. `kind` < GMT_KIND_COUNT. */
static inline const struct gmt_kind_facts *gmt_kind_facts(unsigned kind)
{
    static const struct gmt_kind_facts facts[GMT_KIND_COUNT] = {
#define GMT_KIND(name, json, words, space, family, life, rest)                                                         \
    {json, words, GMT_SPACE_##space, GMT_FAMILY_##family, GMT_LIFE_##life, GMT_REST_##rest},
#include "track/trace_kinds.def"
#undef GMT_KIND
    };
    return &facts[kind];
}

/* Bytes and blocks of `site` at its device's high-water mark. `totals` are those of the site's device and space. */
static inline void gmt_site_at_peak(const struct gmt_site_record *site, const struct gmt_totals *totals,
                                    uint64_t *bytes_out, uint64_t *count_out)
{
    int copied = site->at_peak_generation == totals->peak_generation;
    *bytes_out = copied ? site->at_peak_bytes : site->live_bytes;
    *count_out = copied ? site->at_peak_count : site->live_count;
}

#endif

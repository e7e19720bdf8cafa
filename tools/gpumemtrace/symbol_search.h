/* Where the files of a trace's modules are looked for: where they were, below a --sysroot, and in --symbols folders. */
#ifndef GMT_TOOLS_SYMBOL_SEARCH_H
#define GMT_TOOLS_SYMBOL_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "report/heap.h"
#include "report/sentence.h"

#define GMT_SYMBOL_FOLDERS_MAX 32

/* All zero: files are where they were. */
struct gmt_symbol_search {
    const char *sysroot; /* or NULL */
    const char *folders[GMT_SYMBOL_FOLDERS_MAX];
    unsigned folder_count;
};

/* A file that is wanted: a module's own, or the debug information of it. */
struct gmt_file_wish {
    const char *path; /* of the module, absolute */
    const uint8_t *build_id;
    unsigned build_id_bytes; /* 0: the module has none */
    const char *debuglink;   /* name of the separate debug file, or "" */
    uint32_t debuglink_crc;  /* decides about a debug file when there is no build-id */
    bool debug_information;  /* only a file that has it will do */
};

#define GMT_MISFITS_MAX 3

/* Files that have the right name and are not the ones that ran. */
struct gmt_misfits {
    const char *paths[GMT_MISFITS_MAX];
    const char *build_ids[GMT_MISFITS_MAX]; /* in hex, or "no build-id" */
    unsigned count;                         /* also those beyond the first GMT_MISFITS_MAX */
};

/* False with a sentence when one of the folders is none. */
bool gmt_symbol_search_check(const struct gmt_symbol_search *search, struct gmt_sentence *why_out);

/* Opens the module's own file, a regular one, where it was or below the sysroot, out of which no link leads. Returns
 * the descriptor or -1; `found_out` is the path that was tried. */
int gmt_symbol_search_open(const struct gmt_symbol_search *search, const char *path, struct gmt_heap *heap,
                           const char **found_out);

/* Looks the wish up in the folders, and in the sysroot's /usr/lib/debug: by build-id, by the module's path, by its file
 * name and by its debug link. Returns the descriptor of the first that matches, with its path in `found_out`, or -1.
 * What does not match is added to `misfits`. */
int gmt_symbol_search_find(const struct gmt_symbol_search *search, const struct gmt_file_wish *wish,
                           struct gmt_heap *heap, const char **found_out, struct gmt_misfits *misfits);

void gmt_misfits_add(struct gmt_misfits *misfits, const char *path, const uint8_t *build_id, unsigned bytes,
                     struct gmt_heap *heap);

#endif

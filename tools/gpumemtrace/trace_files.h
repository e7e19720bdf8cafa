/* Finding trace files. */
#ifndef GMT_TOOLS_TRACE_FILES_H
#define GMT_TOOLS_TRACE_FILES_H

#include <stdbool.h>

#include "report/sentence.h"

/* A growing list of paths, each from malloc. All zero is an empty one. */
struct gmt_trace_files {
    char **paths;
    unsigned count, capacity;
};

void gmt_trace_files_add(struct gmt_trace_files *files, const char *path);

/* Adds every trace file of the folder, in order of names. False, with a sentence, when the folder cannot be read. */
bool gmt_trace_files_add_folder(struct gmt_trace_files *files, const char *folder, struct gmt_sentence *why_out);

/* Adds what a word of the command line means: a trace file, a folder of them, or else the newest trace file of the
 * process with that id in the folders that the library uses. False, with a sentence, when there is none. */
bool gmt_trace_files_add_word(struct gmt_trace_files *files, const char *word, struct gmt_sentence *why_out);

/* Adds the newest trace file in the folders that the library uses. */
bool gmt_trace_files_add_newest(struct gmt_trace_files *files, struct gmt_sentence *why_out);

void gmt_trace_files_drop(struct gmt_trace_files *files);

#endif

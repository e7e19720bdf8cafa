/* Folders, children and mounts that tests make and clean up. */
#ifndef GMT_TESTS_SCRATCH_H
#define GMT_TESTS_SCRATCH_H

#include <stdbool.h>

#define GMT_SCRATCH_BYTES 64

/* Makes an empty folder of the user's own and writes its path. Ends the program when it cannot. */
void gmt_scratch_make(char path_out[GMT_SCRATCH_BYTES]);

/* Removes a folder and everything in it. */
void gmt_scratch_remove(const char *path);

/* Runs `body` in a fork child, which ends with its result by _exit. The exit status, or 128 + the signal that ended it.
 */
int gmt_child_run(int (*body)(void *argument), void *argument);

/* Gives the calling process (a fork child) mounts of its own; nobody else sees what it then mounts. False where that is
 * not permitted. */
bool gmt_mounts_make_private(void);

/* Mounts a tmpfs there, with these options ("size=64k,ro"). */
bool gmt_mounts_add_tmpfs(const char *folder, const char *options);

#endif

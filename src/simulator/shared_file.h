/* Memory that another process of the same user can map: a file without a name, whose label, behind the bytes, says what
 * it is. The other process gets at it by a descriptor that it was sent, or through /proc.
 */
#ifndef GMT_SIMULATOR_SHARED_FILE_H
#define GMT_SIMULATOR_SHARED_FILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "simulator/body.h"

enum gmt_sim_shared_kind {
    GMT_SIM_SHARED_PHYSICAL = 1, /* what cuMemCreate takes */
    GMT_SIM_SHARED_MULTICAST,
    GMT_SIM_SHARED_POOL,
    GMT_SIM_SHARED_ARENA, /* what blocks of cuMemAlloc are cut from */
    GMT_SIM_SHARED_EVENT,
};

struct gmt_sim_shared_label {
    char magic[16]; /* written by gmt_sim_shared_make */
    uint32_t kind;
    int32_t device;                  /* ordinal */
    uint64_t bytes;                  /* before the label, a multiple of 2 MiB */
    CUmemAllocationProp properties;  /* of physical memory */
    CUmulticastObjectProp multicast; /* of a multicast object */
    _Atomic uint32_t joined;         /* devices of a multicast object so far, in all processes */
};

/* A descriptor of this process, and what tells whether the program has closed it since. */
struct gmt_sim_shared {
    int fd;
    dev_t device;
    ino_t inode;
};

/* A descriptor of another process, as it travels inside of handles. */
struct gmt_sim_shared_place {
    char magic[8];
    int32_t pid, fd;
    uint64_t inode;
};

/* Makes a file of label->bytes zeros. False when the system refuses. */
bool gmt_sim_shared_make(const struct gmt_sim_shared_label *label, struct gmt_sim_shared *file_out);

/* A copy of the program's descriptor, if the file is of this kind; the program keeps its own. */
bool gmt_sim_shared_accept(int fd, enum gmt_sim_shared_kind kind, struct gmt_sim_shared *file_out,
                           struct gmt_sim_shared_label *label_out);

/* Takes over the program's descriptor, of whatever it is; false when it is none. */
bool gmt_sim_shared_adopt(int fd, struct gmt_sim_shared *file_out);

/* Where others find the file, whether that is in this process, and the way there: false for a place that none is, and
 * when the owner has closed the file or has ended. */
struct gmt_sim_shared_place gmt_sim_shared_place(const struct gmt_sim_shared *file);
bool gmt_sim_shared_is_here(const struct gmt_sim_shared_place *place);
bool gmt_sim_shared_open(const struct gmt_sim_shared_place *place, enum gmt_sim_shared_kind kind,
                         struct gmt_sim_shared *file_out, struct gmt_sim_shared_label *label_out);

/* A descriptor for the program to keep; -1 when it has closed ours. The file is in use, in whatever process, while this
 * descriptor or a copy of it is open, or something is mapped through one; so it is through gmt_sim_shared_open. */
int gmt_sim_shared_lend(const struct gmt_sim_shared *file);
bool gmt_sim_shared_in_use(const struct gmt_sim_shared *file);

/* Lets nobody else find the place of the file any more. */
void gmt_sim_shared_withdraw(struct gmt_sim_shared *file);

/* The label where every process sees it, for gmt_sim_shared_label_unmap; NULL when the system refuses. */
struct gmt_sim_shared_label *gmt_sim_shared_label_map(const struct gmt_sim_shared *file, uint64_t bytes);
void gmt_sim_shared_label_unmap(struct gmt_sim_shared_label *label);

bool gmt_sim_shared_same(const struct gmt_sim_shared *left, const struct gmt_sim_shared *right);
bool gmt_sim_shared_is_open(const struct gmt_sim_shared *file);

/* Closes the descriptor, unless the program has done so. */
void gmt_sim_shared_close(struct gmt_sim_shared *file);

#endif

/* A list of what is held, which is looked through when free memory is asked for or runs out. */
#include "simulator/held_memory.h"

#include <stdlib.h>

struct gmt_sim_held {
    struct gmt_sim_held *next;
    uint64_t bytes;
    struct gmt_sim_shared file;
};

void gmt_sim_held_give(struct gmt_sim_device *device, uint64_t bytes, struct gmt_sim_shared *file)
{
    struct gmt_sim_held *held = gmt_sim_shared_in_use(file) ? malloc(sizeof *held) : NULL;
    if (!held) {
        gmt_sim_shared_close(file);
        gmt_sim_device_give(device, bytes);
        return;
    }
    *held = (struct gmt_sim_held){.next = device->held, .bytes = bytes, .file = *file};
    gmt_sim_shared_withdraw(&held->file);
    file->fd = -1;
    device->held = held;
}

void gmt_sim_held_settle(struct gmt_sim_device *device)
{
    struct gmt_sim_held **link = &device->held;
    while (*link) {
        struct gmt_sim_held *held = *link;
        if (gmt_sim_shared_in_use(&held->file)) {
            link = &held->next;
            continue;
        }
        *link = held->next;
        gmt_sim_device_give(device, held->bytes);
        gmt_sim_shared_close(&held->file);
        free(held);
    }
}

/* Callers of the doors. */
#include "hook/clients.h"

#include <stdbool.h>
#include <stddef.h>

#include "hook/driver.h"
#include "hook/entry.h"
#include "hook/process.h"

#define SLOTS 256u

/* Written once by the thread that claims it. `client` is valid once the trace is open and `known` is set. */
struct slot {
    const void *caller;
    uint32_t client;
    bool known;
    uint64_t waiting[GMT_DOOR_COUNT]; /* uses not yet in the trace file */
};

static struct slot slots[SLOTS];
static uint64_t bypassed;
static const char *bypassed_name; /* a name of the table: static storage */

static struct slot *slot_of(const void *caller)
{
    uint64_t hash = (uint64_t)(uintptr_t)caller * 0x9e3779b97f4a7c15ull;
    for (unsigned probe = 0; probe < SLOTS; probe++) {
        struct slot *slot = &slots[(hash >> 56 ^ probe) % SLOTS];
        const void *seen = NULL;
        if (__atomic_compare_exchange_n(&slot->caller, &seen, caller, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
            seen == caller)
            return slot;
    }
    return NULL; /* more calling places than any program has: not counted */
}

static void move_to_trace(struct gmt_tracker *tracker, struct slot *slot)
{
    if (!__atomic_load_n(&slot->known, __ATOMIC_ACQUIRE)) { /* two threads may find it out, and find the same */
        uint32_t client = gmt_tracker_client(tracker, __atomic_load_n(&slot->caller, __ATOMIC_RELAXED));
        __atomic_store_n(&slot->client, client, __ATOMIC_RELAXED);
        __atomic_store_n(&slot->known, true, __ATOMIC_RELEASE);
    }
    for (unsigned door = 0; door < GMT_DOOR_COUNT; door++) {
        uint64_t uses = __atomic_exchange_n(&slot->waiting[door], 0, __ATOMIC_RELAXED);
        if (uses > 0)
            gmt_tracker_client_used(tracker, __atomic_load_n(&slot->client, __ATOMIC_RELAXED), (enum gmt_door)door,
                                    uses);
    }
}

void gmt_clients_note(const void *caller, enum gmt_door door)
{
    struct slot *slot = slot_of(caller);
    if (!slot)
        return;
    __atomic_fetch_add(&slot->waiting[door], 1, __ATOMIC_RELAXED);
    struct gmt_tracker *tracker = gmt_process_tracker();
    if (tracker)
        move_to_trace(tracker, slot);
}

void gmt_clients_note_bypass(const void *caller, int row)
{
    if (gmt_entry_only_watched(row))
        return;
    const char *name = gmt_entry_names[row];
    if (gmt_driver_contains(caller))
        return;
    struct gmt_tracker *tracker = gmt_process_tracker();
    if (tracker) {
        gmt_tracker_bypassed(tracker, name, 1);
        return;
    }
    __atomic_store_n(&bypassed_name, name, __ATOMIC_RELAXED);
    __atomic_fetch_add(&bypassed, 1, __ATOMIC_RELEASE);
}

void gmt_clients_flush(struct gmt_tracker *tracker)
{
    for (unsigned i = 0; i < SLOTS; i++) {
        if (__atomic_load_n(&slots[i].caller, __ATOMIC_ACQUIRE))
            move_to_trace(tracker, &slots[i]);
    }
    uint64_t count = __atomic_exchange_n(&bypassed, 0, __ATOMIC_ACQUIRE);
    if (count > 0)
        gmt_tracker_bypassed(tracker, __atomic_load_n(&bypassed_name, __ATOMIC_RELAXED), count);
}

void gmt_clients_reset(void)
{
    for (unsigned i = 0; i < SLOTS; i++)
        slots[i] = (struct slot){.caller = NULL};
    bypassed = 0;
}

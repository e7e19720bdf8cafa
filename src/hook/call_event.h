/* What every kind of hooked call needs to make an event of it: who was there before, where the call came from. */
#ifndef GMT_HOOK_CALL_EVENT_H
#define GMT_HOOK_CALL_EVENT_H

#include "hook/call.h"

/* What an event is about: the address of a block, the handle of a context, the device of a primary one, an error, or
 * what is changed and not taken: a pool, a limit, a graph. */
enum gmt_subject { GMT_SUBJECT_BLOCK, GMT_SUBJECT_CONTEXT, GMT_SUBJECT_PRIMARY, GMT_SUBJECT_ERROR, GMT_SUBJECT_CHANGE };

static inline uint64_t gmt_subject(enum gmt_subject kind, uint64_t value)
{
    return value << 3 | kind;
}

/* The tracker for an event about `subject`, opened when `open`. NULL when there is none, or when a hooked call inside
 * this one has recorded the event already. Something else that was recorded meanwhile is the work of a signal handler.
 */
struct gmt_tracker *gmt_call_recorder(const struct gmt_call *call, uint64_t subject, bool open);

/* It is recorded now. */
void gmt_call_mark(uint64_t subject);

/* The number of the call's stack, or GMT_NONE. */
uint32_t gmt_call_stack(struct gmt_tracker *tracker, const struct gmt_call *call);

/* An event with entry, code, thread and stack; without and with the current context and its device. */
struct gmt_event gmt_call_event_outside(struct gmt_tracker *tracker, const struct gmt_call *call);
struct gmt_event gmt_call_event(struct gmt_tracker *tracker, const struct gmt_call *call);

/* The latter about something that was taken. */
struct gmt_event gmt_call_event_of(struct gmt_tracker *tracker, const struct gmt_call *call, enum gmt_kind kind,
                                   uint64_t address, uint64_t bytes);

/* Finds out once what a device is. */
void gmt_call_learn_device(struct gmt_tracker *tracker, uint32_t device);

/* Remembers what the thread took last: an error right after it often makes a program forget it. */
void gmt_call_took(enum gmt_kind kind, uint32_t record);

/* Records that something was taken, and remembers it as the thread's last. Returns its number. */
uint32_t gmt_call_add(struct gmt_tracker *tracker, const struct gmt_event *event);

#endif

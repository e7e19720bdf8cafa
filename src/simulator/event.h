/* Events, for those who record and wait otherwise than by cuEventRecord.
 */
#ifndef GMT_SIMULATOR_EVENT_H
#define GMT_SIMULATOR_EVENT_H

#include "simulator/state.h"

/* Whether the handle is an event's. Lock held. */
bool gmt_sim_event_is(CUevent handle);

/* Ends the events of a context. Lock held. */
void gmt_sim_events_end(struct gmt_sim_context *context);

/* Records the event, which exists, as of now. Lock held. */
void gmt_sim_event_record(CUevent handle);

#endif

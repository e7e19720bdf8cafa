/* Waiting for host functions of streams to return.
 */
#ifndef GMT_SIMULATOR_WAITING_H
#define GMT_SIMULATOR_WAITING_H

/* Waits for the next gmt_sim_wake of another thread. Lock of state.h held; lets go while waiting. */
void gmt_sim_wait(void);
void gmt_sim_wake(void);

#endif

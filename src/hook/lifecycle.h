/* The beginning and the end of the traced process. */
#ifndef GMT_HOOK_LIFECYCLE_H
#define GMT_HOOK_LIFECYCLE_H

/* Registers what must happen at the end; called once by gmt_process_start. */
void gmt_lifecycle_register(void);

#endif

/* The dlsym door: libc's dlsym, but driver functions that are followed come out as their wrappers. The entry itself is
 * assembly (arch/), because everything else must reach libc by a jump: for RTLD_NEXT libc looks at its return address.
 */
#ifndef GMT_HOOK_DLSYM_DOOR_H
#define GMT_HOOK_DLSYM_DOOR_H

/* Called by the assembly for each dlsym(handle, name): the function to jump to with the same arguments. Calls no libc
 * function, so that it works before sanitizers and libc are ready. */
void *gmt_dlsym_route(void *handle, const char *name);

#endif

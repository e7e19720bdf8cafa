/* Where a dlsym goes. Built without sanitizers and built-ins; see dlsym_door.h. */
#include "hook/dlsym_door.h"

#include <dlfcn.h>
#include <stddef.h>

#include "base/elf_image.h"
#include "hook/call.h"
#include "hook/clients.h"
#include "hook/driver.h"
#include "hook/entry.h"
#include "hook/process.h"

typedef void *dlsym_fn(void *handle, const char *name);

static dlsym_fn *real_dlsym;

static void *no_dlsym(void *handle, const char *name)
{
    (void)handle;
    (void)name;
    return NULL;
}

static dlsym_fn *find_real_dlsym(void)
{
    dlsym_fn *real = __atomic_load_n(&real_dlsym, __ATOMIC_RELAXED);
    if (real)
        return real;
    real = (dlsym_fn *)gmt_elf_libc_symbol("dlsym");
    if (!real)
        return no_dlsym;
    __atomic_store_n(&real_dlsym, real, __ATOMIC_RELAXED);
    return real;
}

/* What a search of the default scope would find without us. Our own exports come first in it; behind them are the other
 * definers of the global scope, and last what the caller itself needs, when it was opened RTLD_LOCAL. */
static void *find_without_us(dlsym_fn *real, const char *name, const void *caller)
{
    void *found = real(RTLD_NEXT, name);
    if (found)
        return found;
    void *scope = gmt_elf_handle_of(caller);
    if (scope)
        found = real(scope, name);
    if (found && gmt_entry_find_exported(found) < 0)
        return found;
    return real(RTLD_NEXT, name); /* once more, for its text in dlerror() */
}

/* Look-up of a table name. This may call and return: libc looks at the caller for RTLD_NEXT and RTLD_DEFAULT only. */
static void *look_up_row(void *handle, const char *name)
{
    dlsym_fn *real = find_real_dlsym();
    void *found = real(handle, name);
    void *exported = found && gmt_entry_find_exported(found) >= 0 ? found : NULL;
    if (exported)
        found = find_without_us(real, name, __builtin_return_address(0));
    if (!found || __atomic_load_n(&gmt_hooks_off, __ATOMIC_RELAXED))
        return found;
    gmt_driver_discover();
    int row = gmt_driver_find(found);
    if (row >= 0) {
        gmt_clients_note(__builtin_return_address(0), GMT_DOOR_DLSYM);
        return gmt_entry_handed_out[row];
    }
    if (exported) /* another interposer comes next: our export calls it, and it has its turn */
        return exported;
    gmt_clients_note_bypass(__builtin_return_address(0), gmt_entry_find(name));
    return found;
}

void *gmt_dlsym_route(void *handle, const char *name)
{
    if (handle == RTLD_NEXT || !name || gmt_entry_find(name) < 0)
        return (void *)find_real_dlsym();
    gmt_process_start(); /* where constructors do not run, this is the beginning */
    return (void *)look_up_row;
}

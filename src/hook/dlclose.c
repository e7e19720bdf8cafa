/* dlclose: forwards, and makes it known that program counters may mean other code now. Code can go at any moment
 * between the two steps, so the epoch changes before and after. */
#include <stddef.h>

#include "base/code_epoch.h"
#include "base/elf_image.h"
#include "hook/process.h"
#include "hook/wrappers.h"

GMT_EXPORT int dlclose(void *handle);

int dlclose(void *handle)
{
    static int (*real)(void *);
    int (*target)(void *) = __atomic_load_n(&real, __ATOMIC_RELAXED);
    if (!target) {
        target = (int (*)(void *))gmt_elf_libc_symbol("dlclose");
        if (!target)
            return -1;
        __atomic_store_n(&real, target, __ATOMIC_RELAXED);
    }
    gmt_code_epoch_advance();
    int result = target(handle);
    gmt_code_epoch_advance();
    struct gmt_tracker *tracker = gmt_process_tracker();
    if (tracker)
        gmt_tracker_check_modules(tracker);
    return result;
}

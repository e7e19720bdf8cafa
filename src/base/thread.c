/* Thread-local state of the hooks. */
#include "base/thread.h"

#include "base/code_epoch.h"

#include "base/syscall.h"

uint32_t gmt_code_epoch_value;

__thread struct gmt_thread gmt_thread_self __attribute__((tls_model("initial-exec"), visibility("hidden")));

uint32_t gmt_thread_id(void)
{
    if (gmt_thread_self.id == 0)
        gmt_thread_self.id = (uint32_t)gmt_syscall(SYS_gettid);
    return gmt_thread_self.id;
}

void gmt_thread_reset(void)
{
    gmt_thread_self = (struct gmt_thread){0};
}

/* Takes the place of the lock's functions in a copy of the library (link option --wrap), and counts by thread what is
 * held. GMT_TEST_BREAKS="KIND CALL" makes it break the rule itself, to show that this would be noticed: KIND is `leaf`
 * or `start`, CALL is `malloc`, `loader`, `mutex`, `driver` or `unwinder`. */
#include "lock_watch.h"

#include <link.h>
#include <pthread.h>

#include "base/lock.h"
#include "base/unwind.h"
#include "hook/driver.h"

int __real_gmt_lock_take(struct gmt_lock *lock);
void __real_gmt_lock_give(struct gmt_lock *lock);
int __wrap_gmt_lock_take(struct gmt_lock *lock);
void __wrap_gmt_lock_give(struct gmt_lock *lock);
/* hook/process.c of the copy calls these: its locks are those of the start. */
int lock_watch_start_take(struct gmt_lock *lock);
void lock_watch_start_give(struct gmt_lock *lock);

static __thread int leaves __attribute__((tls_model("initial-exec")));
static __thread int starts __attribute__((tls_model("initial-exec")));
static const char *breaks;

__attribute__((constructor)) static void read_settings(void)
{
    breaks = getenv("GMT_TEST_BREAKS");
}

unsigned gpumemtrace_locks_held(void)
{
    return (leaves > 0 ? LOCK_WATCH_LEAF : 0) | (starts > 0 ? LOCK_WATCH_START : 0);
}

static int stop_at_first(struct dl_phdr_info *info, size_t bytes, void *argument)
{
    (void)info;
    (void)bytes;
    (void)argument;
    return 1;
}

static void break_rule(const char *kind)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    const char *call = breaks && strncmp(breaks, kind, strlen(kind)) == 0 ? breaks + strlen(kind) + 1 : "";
    void *volatile memory; /* or the pair of calls is left out */
    struct gmt_registers here = gmt_registers_here();
    struct gmt_unwound unwound;
    CUcontext context;
    if (strcmp(call, "malloc") == 0)
        free(memory = malloc(1));
    if (strcmp(call, "loader") == 0)
        dl_iterate_phdr(stop_at_first, NULL);
    if (strcmp(call, "mutex") == 0)
        pthread_mutex_lock(&mutex);
    if (strcmp(call, "unwinder") == 0)
        gmt_unwind(&here, 1, 0, &unwound);
    if (strcmp(call, "driver") == 0)
        gmt_driver_query(cuCtxGetCurrent)(&context);
}

int __wrap_gmt_lock_take(struct gmt_lock *lock)
{
    int result = __real_gmt_lock_take(lock);
    if (result == 0) {
        leaves++;
        break_rule("leaf");
    }
    return result;
}

void __wrap_gmt_lock_give(struct gmt_lock *lock)
{
    leaves--;
    __real_gmt_lock_give(lock);
}

int lock_watch_start_take(struct gmt_lock *lock)
{
    int result = __real_gmt_lock_take(lock);
    if (result == 0) {
        starts++;
        break_rule("start");
    }
    return result;
}

void lock_watch_start_give(struct gmt_lock *lock)
{
    starts--;
    __real_gmt_lock_give(lock);
}

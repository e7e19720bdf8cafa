/* Start, tracker and fork. */
#include "hook/process.h"

#include <limits.h>
#include <linux/mman.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/elf_image.h"
#include "base/environment.h"
#include "base/lock.h"
#include "base/stack_cache.h"
#include "base/syscall.h"
#include "base/text.h"
#include "base/thread.h"
#include "hook/call.h"
#include "hook/clients.h"
#include "hook/driver.h"
#include "hook/lifecycle.h"
#include "hook/notice.h"
#include "hook/renderer.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

static struct gmt_options options = {
#define GMT_OPTION(type, name, standard, unit, help) .name = standard,
#include "base/options.def"
#undef GMT_OPTION
};
static char **environment; /* deep copy: a program may overwrite its own */
static const char *options_text = "";
static bool started;

/* Held while the settings are read, so that the first calls of other threads wait for them. */
static struct gmt_lock start_lock;

/* `open_lock` guards the opening alone and is never held while an event is recorded. Unlike the tracker's lock it is
 * held over system calls and dl_iterate_phdr; nothing that those wait for ever takes it. */
static struct gmt_lock open_lock;
enum tracker_state { CLOSED, OPEN, FAILED };
static enum tracker_state tracker_state;

/* One page that the kernel zeroes in a fork child, but not in a vfork child, which shares the parent's memory. */
static char *wiped_in_child;

static volatile char *fork_page(void)
{
    return __atomic_load_n(&wiped_in_child, __ATOMIC_ACQUIRE);
}

static void complain(void *argument, const char *sentence)
{
    (void)argument;
    gmt_notice_line(sentence);
}

static void print_help(void)
{
    static const char head[] = "settings in " GMT_OPTIONS_VARIABLE ", as key=value:key=value";
    gmt_notice_line(head);
    for (const struct gmt_option_row *row = gmt_option_rows; row->name; row++) {
        char buffer[1024];
        struct gmt_text line = gmt_text_over(buffer, sizeof buffer);
        gmt_text_add(&line, "  ");
        gmt_text_add(&line, row->name);
        gmt_text_add(&line, "=");
        gmt_text_add(&line, row->unit);
        gmt_text_add(&line, " (");
        gmt_text_add(&line, row->standard);
        gmt_text_add(&line, ")\n        ");
        gmt_text_add(&line, row->help);
        gmt_text_add(&line, "\n");
        gmt_notice_write(buffer);
    }
}

static bool dropped_for_renderer(const char *variable)
{
    return strncmp(variable, "LD_PRELOAD=", 11) == 0 || strncmp(variable, "LD_AUDIT=", 9) == 0;
}

static void copy_environment(void)
{
    size_t bytes = sizeof(char *);
    for (char **variable = environ; variable && *variable; variable++)
        bytes += sizeof(char *) + strlen(*variable) + 1;
    char **copy = gmt_sys_map(bytes);
    if (!copy)
        return;
    size_t count = 0;
    for (char **variable = environ; variable && *variable; variable++)
        count += !dropped_for_renderer(*variable);
    char *text = (char *)(copy + count + 1);
    size_t next = 0;
    for (char **variable = environ; variable && *variable; variable++) {
        if (dropped_for_renderer(*variable))
            continue;
        size_t length = strlen(*variable) + 1;
        memcpy(text, *variable, length);
        copy[next++] = text;
        text += length;
    }
    environment = copy;
}

/* A fork child: everything of the parent's tracker is gone or not its own. */
static void start_empty(void)
{
    if (__atomic_load_n(&tracker_state, __ATOMIC_RELAXED) == OPEN)
        gmt_tracker_forget(gmt_tracker_of_process());
    tracker_state = CLOSED;
    gmt_lock_reset(&start_lock);
    gmt_lock_reset(&open_lock);
    gmt_driver_reset_lock();
    gmt_thread_reset();
    gmt_stack_cache_forget();
    gmt_clients_reset();
    volatile char *page = fork_page();
    if (page)
        *page = 1;
}

static bool in_fork_child(void)
{
    const volatile char *page = fork_page();
    return page && *page == 0;
}

/* Kernels before 4.14 do not know MADV_WIPEONFORK: there the page does not change and this handler tells. */
static void after_fork_in_child(void)
{
    gmt_elf_after_fork_in_child();
    volatile char *page = fork_page();
    if (page)
        *page = 0;
}

static void map_fork_page(void)
{
    if (fork_page())
        return;
    char *page = gmt_sys_map(4096);
    if (!page)
        return;
    gmt_syscall(SYS_madvise, page, 4096, MADV_WIPEONFORK);
    *page = 1;
    __atomic_store_n(&wiped_in_child, page, __ATOMIC_RELEASE);
}

/* `path` from the working directory of now, because the program may change it. In a pattern (%p …) a percent sign of
 * the directory is doubled. */
static const char *absolute(const char *path, bool pattern)
{
    char here[PATH_MAX];
    if (path[0] == '\0' || path[0] == '/' || gmt_syscall(SYS_getcwd, here, sizeof here) <= 0 || here[0] != '/')
        return path;
    size_t bytes = 2 * strlen(here) + strlen(path) + 2;
    char *whole = gmt_sys_map(bytes);
    if (!whole)
        return path;
    struct gmt_text text = gmt_text_over(whole, bytes);
    for (const char *at = here; *at != '\0'; at++) {
        gmt_text_add_part(&text, at, 1);
        if (pattern && *at == '%')
            gmt_text_add(&text, "%");
    }
    gmt_text_add(&text, "/");
    gmt_text_add(&text, path);
    return whole;
}

static void fix_paths(void)
{
    const char *folder = gmt_environment_value("GPUMEMTRACE_DIR");
    options.dir = absolute(options.dir[0] == '\0' && folder ? folder : options.dir, false);
    options.command = absolute(options.command, false);
    options.output = absolute(options.output, true);
}

static void start(void)
{
    gmt_notice_start();
    const char *text = gmt_environment_value(GMT_OPTIONS_VARIABLE);
    copy_environment();
    if (text) {
        gmt_options_parse(&options, text, complain, NULL);
        char *copy = gmt_sys_map(strlen(text) + 1);
        options_text = copy ? strcpy(copy, text) : "";
    }
    fix_paths();
    __atomic_store_n(&gmt_hooks_off, options.off, __ATOMIC_RELAXED);
    if (options.help)
        print_help();
    if (options.verbose >= 1)
        gmt_notice_line("the tracer is loaded");
    if (options.off)
        return;
    pthread_atfork(gmt_elf_before_fork, gmt_elf_after_fork_in_parent, after_fork_in_child);
    gmt_lifecycle_register();
}

void gmt_process_start(void)
{
    if (__atomic_load_n(&started, __ATOMIC_ACQUIRE))
        return;
    if (gmt_lock_take(&start_lock) != 0)
        return; /* re-entered: the defaults do until then */
    if (!started) {
        start();
        __atomic_store_n(&started, true, __ATOMIC_RELEASE);
    }
    gmt_lock_give(&start_lock);
}

const struct gmt_options *gmt_process_options(void)
{
    return &options;
}

char *const *gmt_process_environment(void)
{
    static char *const none[] = {NULL};
    return environment ? environment : none;
}

struct gmt_tracker *gmt_process_tracker(void)
{
    if (in_fork_child())
        start_empty();
    return __atomic_load_n(&tracker_state, __ATOMIC_ACQUIRE) == OPEN ? gmt_tracker_of_process() : NULL;
}

static void open_tracker(int driver_version)
{
    struct gmt_tracker *tracker = gmt_tracker_of_process();
    map_fork_page();
    gmt_renderer_find();
    struct gmt_tracker_setup setup = {
        .folder = options.dir,
        .max_blocks = options.max_blocks,
        .max_memory = options.max_memory,
        .entry_names = gmt_entry_names,
        .entry_count = GMT_ENTRY_COUNT,
        .options = options_text,
        .driver_version = driver_version,
        .simulated = gmt_driver_simulated(),
    };
    if (gmt_tracker_open(tracker, &setup) != 0) {
        gmt_notice_line("nothing is traced: there is no memory for the trace");
        __atomic_store_n(&tracker_state, FAILED, __ATOMIC_RELEASE);
        return;
    }
    if (options.verbose >= 1)
        gmt_notice_line(gmt_tracker_path(tracker)[0] ? gmt_tracker_path(tracker) : "the trace is in anonymous memory");
    __atomic_store_n(&tracker_state, OPEN, __ATOMIC_RELEASE);
    gmt_clients_flush(tracker);
    gmt_call_flush_early(tracker);
}

struct gmt_tracker *gmt_process_open(void)
{
    struct gmt_tracker *tracker = gmt_process_tracker();
    if (tracker || __atomic_load_n(&tracker_state, __ATOMIC_ACQUIRE) == FAILED)
        return tracker;
    gmt_process_start();
    if (options.off) /* the call that started it all had no way to know */
        return NULL;
    int driver_version = 0; /* asked here: the driver may have a lock of its own, and is not called under one of ours */
    gmt_driver_discover();
    gmt_driver_query(cuDriverGetVersion)(&driver_version);
    if (gmt_lock_take(&open_lock) != 0)
        return NULL;
    if (tracker_state == CLOSED)
        open_tracker(driver_version);
    gmt_lock_give(&open_lock);
    return gmt_process_tracker();
}

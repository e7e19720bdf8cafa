/* Folders and names of trace files. */
#include "track/trace_place.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/environment.h"
#include "base/syscall.h"
#include "base/text.h"
#include "track/process_identity.h"
#include "track/trace_file.h"

#define NAME_TRIES 9

static unsigned user_id(void)
{
    return (unsigned)gmt_syscall(SYS_geteuid);
}

/* A folder of the user's own, made when missing: mode 0700, owned by the user, not a link. 0 or -errno. */
static int check_private_folder(const char *path)
{
    long made = gmt_syscall(SYS_mkdirat, AT_FDCWD, path, 0700);
    if (made < 0 && made != -EEXIST)
        return (int)made;
    int folder = gmt_sys_open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    if (folder < 0)
        return folder;
    struct stat status;
    long failed = gmt_syscall(SYS_fstat, folder, &status);
    gmt_sys_close(folder);
    if (failed < 0)
        return (int)failed;
    return status.st_uid == user_id() && (status.st_mode & 077) == 0 ? 0 : -EPERM;
}

/* "host.pid.start.random" of this process. */
static void add_name(struct gmt_text *path)
{
    struct utsname system;
    if (gmt_syscall(SYS_uname, &system) != 0)
        system.nodename[0] = '\0';
    for (char *c = system.nodename; *c != '\0'; c++) {
        if (*c == '/' || *c == '.')
            *c = '_';
    }
    gmt_text_add(path, system.nodename[0] ? system.nodename : "localhost");
    gmt_text_add(path, ".");
    gmt_text_add_decimal(path, (uint64_t)gmt_syscall(SYS_getpid));
    gmt_text_add(path, ".");
    gmt_text_add_decimal(path, gmt_process_start_ticks());
    gmt_text_add(path, ".");
    const uint8_t *random = (const uint8_t *)getauxval(AT_RANDOM);
    for (int i = 0; i < 8; i++) {
        uint8_t byte = random ? random[i] : 0;
        char pair[2] = {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
        gmt_text_add_part(path, pair, 2);
    }
}

static int create_in(const char *folder, char *path_out, size_t capacity)
{
    struct gmt_text path = gmt_text_over(path_out, capacity);
    if (folder[0] != '/') { /* the program may change its working directory */
        char here[GMT_PATH_BYTES];
        long length = gmt_syscall(SYS_getcwd, here, sizeof here);
        if (length < 0)
            return (int)length;
        gmt_text_add(&path, here);
        gmt_text_add(&path, "/");
    }
    gmt_text_add(&path, folder);
    gmt_text_add(&path, "/");
    add_name(&path);
    size_t stem = path.length;
    for (int i = 1; i <= NAME_TRIES; i++) {
        path.length = stem;
        if (i > 1) {
            gmt_text_add(&path, ".");
            gmt_text_add_decimal(&path, (uint64_t)i);
        }
        gmt_text_add(&path, GMT_TRACE_SUFFIX);
        if (path.cut)
            return -ENAMETOOLONG;
        int file = gmt_sys_open(path_out, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
        if (file != -EEXIST)
            return file;
    }
    return -EEXIST;
}

static int create_in_private(const char *parent, char *path_out, size_t capacity)
{
    char buffer[GMT_PATH_BYTES];
    struct gmt_text folder = gmt_text_over(buffer, sizeof buffer);
    gmt_text_add(&folder, parent);
    gmt_text_add(&folder, "/gpumemtrace-");
    gmt_text_add_decimal(&folder, user_id());
    if (folder.cut)
        return -ENAMETOOLONG;
    int failed = check_private_folder(buffer);
    return failed ? failed : create_in(buffer, path_out, capacity);
}

static int create_in_wanted(const char *folder, char *path_out, size_t capacity)
{
    gmt_syscall(SYS_mkdirat, AT_FDCWD, folder, 0700); /* an existing one is fine, a failure shows at the next step */
    return create_in(folder, path_out, capacity);
}

int gmt_trace_place_create(const char *wanted_folder, char *path_out, size_t capacity)
{
    int file = -ENOENT;
    if (wanted_folder && wanted_folder[0] != '\0') {
        file = create_in_wanted(wanted_folder, path_out, capacity);
        if (file >= 0)
            return file;
    }
    const char *chosen = gmt_environment_value("GPUMEMTRACE_DIR");
    if (chosen && chosen[0] != '\0') {
        file = create_in_wanted(chosen, path_out, capacity);
        if (file >= 0)
            return file;
    }
    const char *temporary = gmt_environment_value("TMPDIR");
    const char *const parents[] = {"/dev/shm", temporary && temporary[0] == '/' ? temporary : "/tmp", "/tmp"};
    for (unsigned i = 0; i < sizeof parents / sizeof parents[0]; i++) {
        file = create_in_private(parents[i], path_out, capacity);
        if (file >= 0)
            return file;
    }
    path_out[0] = '\0';
    return file;
}

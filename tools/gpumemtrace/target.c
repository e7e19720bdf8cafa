#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "complaint.h"

/* A script's interpreter may be a script; the kernel follows about as many. */
#define SCRIPT_DEPTH_MAX 5

static int check_path(const char *path, unsigned depth, struct gmt_target *target, struct gmt_sentence *why);

/* Fills the sentence and returns the exit code, so that a refusal is one statement. */
#define REFUSE(why, code, ...) (gmt_sentence_refuse(why, __VA_ARGS__), (code))

/* As execvp: an entry of PATH that cannot be executed is passed over, but remembered. */
static int find_program(const char *name, char *path_out, size_t capacity, struct gmt_sentence *why)
{
    struct stat status;
    bool found_unusable = false;
    if (strchr(name, '/')) {
        snprintf(path_out, capacity, "%s", name);
        return 0;
    }
    const char *paths = getenv("PATH");
    for (const char *at = paths ? paths : "/usr/local/bin:/bin:/usr/bin"; *name != '\0';) {
        size_t length = strcspn(at, ":");
        snprintf(path_out, capacity, "%.*s%s%s", (int)length, at, length ? "/" : "./", name);
        if (stat(path_out, &status) == 0 && S_ISREG(status.st_mode)) {
            if (access(path_out, X_OK) == 0)
                return 0;
            found_unusable = true;
        }
        if (at[length] == '\0')
            break;
        at += length + 1;
    }
    if (found_unusable)
        return REFUSE(why, GMT_EXIT_NOT_EXECUTABLE, "%s is in PATH, but may not be executed; chmod +x it", name);
    if (*name == '\0')
        return REFUSE(why, GMT_EXIT_NOT_FOUND, "the name of the program is empty");
    return REFUSE(why, GMT_EXIT_NOT_FOUND, "%s was not found in PATH; give the path of the program (./%s)", name, name);
}

static int open_program(const char *path, int *fd_out, struct stat *status, struct gmt_sentence *why)
{
    if (stat(path, status) != 0) {
        int missing = errno == ENOENT || errno == ENOTDIR;
        return REFUSE(why, missing ? GMT_EXIT_NOT_FOUND : GMT_EXIT_NOT_EXECUTABLE, "cannot run %s: %s", path,
                      strerror(errno));
    }
    if (!S_ISREG(status->st_mode))
        return REFUSE(why, GMT_EXIT_NOT_EXECUTABLE, "%s is a %s, not a program", path,
                      S_ISDIR(status->st_mode) ? "folder" : "special file");
    if (access(path, X_OK) != 0)
        return REFUSE(why, GMT_EXIT_NOT_EXECUTABLE, "%s may not be executed: %s; chmod +x it", path, strerror(errno));
    *fd_out = open(path, O_RDONLY | O_CLOEXEC);
    return 0;
}

/* The loader drops preloads for programs that run with more rights than their caller. */
static int check_rights(const char *path, const struct stat *status, struct gmt_sentence *why)
{
    const char *what = NULL;
    if (status->st_mode & S_ISUID)
        what = "set-uid";
    else if (status->st_mode & S_ISGID)
        what = "set-gid";
    else if (getxattr(path, "security.capability", NULL, 0) > 0)
        what = "a program with file capabilities";
    if (!what)
        return 0;
    return REFUSE(why, GMT_EXIT_OWN_ERROR,
                  "%s is %s, and the loader ignores preloaded libraries there: nothing would be "
                  "traced; trace a copy without the privilege (cp keeps none of it)",
                  path, what);
}

static int check_elf(const char *path, const struct gmt_elf_program *elf, struct gmt_sentence *why)
{
    const char *here = gmt_elf_machine_name(gmt_elf_machine_here());
    if (elf->bits != 64 || elf->machine != gmt_elf_machine_here())
        return REFUSE(why, GMT_EXIT_OWN_ERROR,
                      "%s is a %d-bit program for %s, and this libgpumemtrace is for 64-bit %s; "
                      "use a build of the program for it",
                      path, elf->bits, gmt_elf_machine_name(elf->machine), here);
    if (elf->is_loader)
        return 0;
    if (elf->interpreter[0] == '\0')
        return REFUSE(why, GMT_EXIT_OWN_ERROR,
                      "%s is statically linked, and nothing can be preloaded into it; link it "
                      "dynamically (without -static)",
                      path);
    if (strstr(elf->interpreter, "/ld-musl-"))
        return REFUSE(why, GMT_EXIT_OWN_ERROR,
                      "%s is built for musl, and libgpumemtrace for glibc; use a glibc build of "
                      "the program",
                      path);
    if (access(elf->interpreter, X_OK) != 0)
        return REFUSE(why, GMT_EXIT_NOT_EXECUTABLE, "cannot run %s: its loader %s is missing", path, elf->interpreter);
    return 0;
}

/* "#!/usr/bin/env name" means the program that env will find: the first word that is no option and no assignment. */
static int check_env_script(char *arguments, unsigned depth, struct gmt_target *target, struct gmt_sentence *why)
{
    char path[4096];
    char *rest = NULL;
    for (char *word = strtok_r(arguments, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
        if (word[0] == '-' || strchr(word, '='))
            continue;
        int code = find_program(word, path, sizeof path, why);
        return code ? code : check_path(path, depth, target, why);
    }
    return 0;
}

static int check_script(char *line, unsigned depth, struct gmt_target *target, struct gmt_sentence *why)
{
    line += strspn(line, " \t");
    size_t length = strcspn(line, " \t");
    char *arguments = line + length + (line[length] != '\0');
    line[length] = '\0';
    const char *slash = strrchr(line, '/');
    int code = check_path(line, depth + 1, target, why);
    if (code == 0 && slash && strcmp(slash, "/env") == 0)
        code = check_env_script(arguments, depth + 1, target, why);
    return code;
}

/* A file that is neither ELF nor names an interpreter is run by the shell, as execvp does, if it looks like text. */
static int check_text(const char *path, char *head, size_t bytes, unsigned depth, struct gmt_target *target,
                      struct gmt_sentence *why)
{
    if (bytes >= 2 && head[0] == '#' && head[1] == '!') {
        head[strcspn(head, "\n")] = '\0';
        return check_script(head + 2, depth, target, why);
    }
    if (bytes > 0 && !memchr(head, '\0', bytes))
        return check_path("/bin/sh", depth + 1, target, why);
    return REFUSE(why, GMT_EXIT_NOT_EXECUTABLE, "%s is neither an ELF program nor a script; name a program", path);
}

static int check_path(const char *path, unsigned depth, struct gmt_target *target, struct gmt_sentence *why)
{
    struct stat status;
    char head[512];
    int fd = -1;
    if (depth > SCRIPT_DEPTH_MAX)
        return REFUSE(why, GMT_EXIT_NOT_EXECUTABLE, "cannot run %s: its interpreter is a script of a script, too deep",
                      path);
    int code = open_program(path, &fd, &status, why);
    if (code == 0)
        code = check_rights(path, &status, why);
    if (code != 0 || fd < 0) { /* executable but not readable: the kernel may run it, nobody can check it */
        if (fd >= 0)
            close(fd);
        return code;
    }
    ssize_t bytes = pread(fd, head, sizeof head - 1, 0);
    head[bytes > 0 ? bytes : 0] = '\0';
    gmt_elf_program_read(fd, &target->elf);
    close(fd);
    if (target->elf.is_elf)
        return check_elf(path, &target->elf, why);
    return check_text(path, head, bytes > 0 ? (size_t)bytes : 0, depth, target, why);
}

int gmt_target_check(const char *name, struct gmt_target *target_out, struct gmt_sentence *why_out)
{
    *target_out = (struct gmt_target){.path = ""};
    int code = find_program(name, target_out->path, sizeof target_out->path, why_out);
    return code ? code : check_path(target_out->path, 0, target_out, why_out);
}

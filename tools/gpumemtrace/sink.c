#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/heap.h"

/* A rename would replace the name in /dev by a file instead of writing to what it names. */
static bool is_written_directly(const char *path)
{
    struct stat status;
    if (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0)
        return true;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

static bool refuse(const char *path, int error, struct gmt_sentence *why_out)
{
    gmt_sentence_refuse(why_out, "cannot write the report to %s: %s; name another file", path, strerror(error));
    return false;
}

static bool open_direct(struct gmt_sink *sink, struct gmt_sentence *why_out)
{
    int fd = open(sink->path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
    sink->file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (sink->file)
        return true;
    refuse(sink->path, errno, why_out);
    if (fd >= 0)
        close(fd);
    return false;
}

static bool open_temporary(struct gmt_sink *sink, struct gmt_sentence *why_out)
{
    /* Not the path and a suffix: that could be too long for a file name. */
    const char *slash = strrchr(sink->path, '/');
    int folder = slash ? (int)(slash + 1 - sink->path) : 0;
    if (asprintf(&sink->temporary, "%.*s.gpumemtrace-XXXXXX", folder, sink->path) < 0)
        gmt_heap_exhausted();
    int fd = mkostemp(sink->temporary, O_CLOEXEC);
    sink->file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (sink->file)
        return true;
    refuse(sink->path, errno, why_out);
    if (fd >= 0) {
        close(fd);
        unlink(sink->temporary);
    }
    return false;
}

static void forget(struct gmt_sink *sink)
{
    free(sink->path);
    free(sink->temporary);
    *sink = (struct gmt_sink){NULL, NULL, NULL};
}

bool gmt_sink_open(const char *path, struct gmt_sink *sink_out, struct gmt_sentence *why_out)
{
    *sink_out = (struct gmt_sink){NULL, NULL, NULL};
    bool direct = is_written_directly(path);
    /* Through a link to the file itself, so that a link to the newest report stays one. */
    sink_out->path = direct ? NULL : realpath(path, NULL);
    if (!sink_out->path)
        sink_out->path = strdup(path);
    if (!sink_out->path)
        gmt_heap_exhausted();
    bool opened = direct ? open_direct(sink_out, why_out) : open_temporary(sink_out, why_out);
    if (!opened)
        forget(sink_out);
    return opened;
}

bool gmt_sink_close(struct gmt_sink *sink, struct gmt_sentence *why_out)
{
    errno = 0;
    bool failed = fflush(sink->file) != 0 || ferror(sink->file);
    int error = errno;
    if (fclose(sink->file) != 0 && !failed) {
        failed = true;
        error = errno;
    }
    if (!failed && sink->temporary && rename(sink->temporary, sink->path) != 0) {
        failed = true;
        error = errno;
    }
    if (failed && sink->temporary)
        unlink(sink->temporary);
    if (failed)
        refuse(sink->path, error, why_out);
    forget(sink);
    return !failed;
}

bool gmt_stream_finish(FILE *stream, const char *name, struct gmt_sentence *why_out)
{
    errno = 0;
    if (fflush(stream) == 0 && !ferror(stream))
        return true;
    gmt_sentence_refuse(why_out, "cannot write the report to %s: %s; name a file with -o", name,
                        errno ? strerror(errno) : "it was cut off");
    return false;
}

bool gmt_stream_has_colour(FILE *stream)
{
    const char *none = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return !(none && none[0]) && terminal && strcmp(terminal, "dumb") != 0 && isatty(fileno(stream));
}

/* Whether a file is a trace file that this command can read; if not, which sentence says why. */
#include "report/trace_header.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/errors.h"
#include "report/trace_input.h"

static const uint64_t record_sizes[GMT_SECTION_COUNT] = {
#define X(name, type) sizeof(type),
    GMT_TRACE_SECTIONS(X)
#undef X
};

uint64_t gmt_trace_record_bytes(enum gmt_section_id id)
{
    return record_sizes[id];
}

/* A file that the library has made, and not yet written to. */
static bool is_fresh(const struct gmt_trace_header *header, const char *path)
{
    static const char zeroes[sizeof header->magic];
    size_t length = strlen(path), suffix = strlen(GMT_TRACE_SUFFIX);
    return memcmp(header->magic, zeroes, sizeof zeroes) == 0 && length > suffix &&
           strcmp(path + length - suffix, GMT_TRACE_SUFFIX) == 0;
}

static int refuse_fresh(const char *path, struct gmt_sentence *why_out)
{
    return gmt_sentence_refuse(why_out,
                               "%s has no complete header: its process ended, or is still, at its first CUDA call, "
                               "and nothing was recorded",
                               path);
}

static int check(const struct gmt_trace_header *header, const char *path, struct gmt_sentence *why_out)
{
    if (is_fresh(header, path))
        return refuse_fresh(path, why_out);
    if (memcmp(header->magic, GMT_TRACE_MAGIC, sizeof header->magic) != 0)
        return gmt_sentence_refuse(why_out,
                                   "%s is not a trace file; trace files are written by libgpumemtrace.so and end in %s",
                                   path, GMT_TRACE_SUFFIX);
    if (header->byte_order != GMT_TRACE_BYTE_ORDER)
        return gmt_sentence_refuse(why_out,
                                   "%s was written on a machine with another byte order; run gpumemtrace report on a "
                                   "machine of that kind",
                                   path);
    if (header->version != GMT_TRACE_VERSION)
        return gmt_sentence_refuse(why_out,
                                   "%s has layout %" PRIu32
                                   " and this gpumemtrace reads layout %d; use the gpumemtrace "
                                   "command that was installed with the library that wrote it",
                                   path, header->version, GMT_TRACE_VERSION);
    bool sizes_match = header->header_bytes == sizeof *header;
    for (unsigned i = 0; sizes_match && i < GMT_SECTION_COUNT; i++)
        sizes_match = header->sections[i].record_bytes == record_sizes[i];
    if (!(header->flags & GMT_TRACE_READY))
        return refuse_fresh(path, why_out);
    if (!sizes_match)
        return gmt_sentence_refuse(why_out,
                                   "%s has a damaged header (record sizes that layout %d does not have); it cannot be "
                                   "read, trace the program again",
                                   path, GMT_TRACE_VERSION);
    return GMT_OK;
}

int gmt_trace_header_load(int fd, const char *path, struct gmt_trace_header *header_out, struct gmt_sentence *why_out)
{
    memset(header_out, 0, sizeof *header_out);
    uint64_t got = gmt_trace_input_read(fd, header_out, sizeof *header_out, 0);
    if (got >= sizeof *header_out || memcmp(header_out->magic, GMT_TRACE_MAGIC, sizeof header_out->magic) != 0)
        return check(header_out, path, why_out);
    return gmt_sentence_refuse(why_out,
                               "%s is cut short: it ends after %" PRIu64 " of the %zu bytes of its header, and nothing "
                               "can be read from it; copy it again, or trace the program again",
                               path, got, sizeof *header_out);
}

bool gmt_trace_header_read(const char *path, struct gmt_trace_header *header_out)
{
    struct gmt_sentence ignored;
    struct stat file;
    int fd = gmt_trace_input_open(path, &file, &ignored);
    if (fd < 0)
        return false;
    int status = gmt_trace_header_load(fd, path, header_out, &ignored);
    close(fd);
    return status == GMT_OK;
}

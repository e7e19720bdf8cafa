/* Fuzz target for the reader of trace files. Built by clang it is a libFuzzer program; elsewhere fuzz_main.c runs it
 * over the corpus. A corpus file is (offset, length, bytes) patches on a sample trace: a whole file would be 50 KiB of
 * zeroes that no fuzzer gets through. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report_of_bytes.h"
#include "trace_fixture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static const char *const samples[] = {"leak",  "oom",   "ended",   "trouble", "names", "killed",
                                      "empty", "clean", "objects", "states",  "calls", "holders"};

/* Byte 0 chooses the sample, bytes 1 and 2 how much is cut off, the rest are patches: 3 bytes offset, 1 byte length. */
static size_t build(const uint8_t *data, size_t bytes, struct fixture *fixture)
{
    fixture_sample(fixture, samples[bytes > 0 ? data[0] % (sizeof samples / sizeof samples[0]) : 0]);
    size_t size = fixture_size(fixture);
    if (bytes < 3)
        return size;
    size_t cut = (size_t)(data[1] << 8 | data[2]);
    for (size_t at = 3; at + 4 < bytes;) {
        size_t offset = (size_t)(data[at] << 16 | data[at + 1] << 8 | data[at + 2]);
        size_t length = data[at + 3];
        at += 4;
        if (length > bytes - at)
            length = bytes - at;
        if (offset < sizeof fixture->bytes && length <= sizeof fixture->bytes - offset)
            memcpy(fixture->bytes + offset, data + at, length);
        at += length;
    }
    return cut < size ? size - cut : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static struct fixture fixture;
    static int file = -1;
    char path[64];
    size_t size = build(data, bytes, &fixture);
    if (file < 0)
        file = memfd_create("trace", MFD_CLOEXEC);
    if (ftruncate(file, 0) != 0 || pwrite(file, fixture.bytes, size, 0) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    report_of_file(path);
    return 0;
}

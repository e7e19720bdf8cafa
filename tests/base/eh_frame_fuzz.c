/* Fuzz target for the reader of .eh_frame: the first 4 bytes say how far the program counter lies from the table, the
 * rest is the table with what it points to. */
#include <stdlib.h>
#include <string.h>

#include "base/cfi.h"
#include "base/eh_frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    int32_t distance;
    if (bytes < sizeof distance)
        return 0;
    memcpy(&distance, data, sizeof distance);
    bytes -= sizeof distance;
    /* Of exactly this size: a sanitizer then sees the first byte read beyond it. */
    uint8_t *table = malloc(bytes ? bytes : 1);
    if (!table)
        return 0;
    memcpy(table, data + sizeof distance, bytes);
    uintptr_t pc = (uintptr_t)table + (uintptr_t)(intptr_t)distance;
    struct gmt_unwind_code code;
    const uint8_t *entry;
    if (gmt_eh_frame_search(table, table, table + bytes, pc, &entry) &&
        gmt_eh_frame_read(entry, table, table + bytes, pc, &code)) {
        struct gmt_rule rule = gmt_cfi_run(&code, pc);
        if (pc < code.start || rule.kind > GMT_RULE_SIGNAL)
            abort();
    }
    free(table);
    return 0;
}

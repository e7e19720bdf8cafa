/* Finding the unwind instructions for an address in a loaded object: .eh_frame_hdr's sorted table, then .eh_frame
 * (Linux Standard Base Core, chapter 10). Nothing is trusted: every read is checked against the segment that holds it.
 */
#ifndef GMT_BASE_EH_FRAME_H
#define GMT_BASE_EH_FRAME_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/byte_reader.h"

/* One function's unwind instructions. */
struct gmt_unwind_code {
    uintptr_t start; /* first address of the function */
    uint64_t code_alignment;
    int64_t data_alignment;
    uint64_t return_register;
    bool signal_frame;              /* a return address here is that of an interrupted instruction */
    struct gmt_byte_reader initial; /* the common instructions (CIE) … */
    struct gmt_byte_reader own;     /* … and the function's (FDE) */
};

/* Finds the code for `pc` in the object that `info` describes. False when it has none. */
bool gmt_eh_frame_find(const struct dl_phdr_info *info, uintptr_t pc, struct gmt_unwind_code *code_out);

/* Its two steps, for tables that lie anywhere; nothing outside [low, high) is read. First: the place in .eh_frame that
 * `header`, the start of .eh_frame_hdr, names for `pc`. */
bool gmt_eh_frame_search(const uint8_t *header, const uint8_t *low, const uint8_t *high, uintptr_t pc,
                         const uint8_t **entry_out);

/* Second: the entry there and what it refers to. False when it is malformed or not about `pc`. */
bool gmt_eh_frame_read(const uint8_t *entry, const uint8_t *low, const uint8_t *high, uintptr_t pc,
                       struct gmt_unwind_code *code_out);

#endif

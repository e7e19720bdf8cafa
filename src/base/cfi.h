/* Running unwind instructions (DWARF 5, section 6.4) down to the one rule that holds at an address. */
#ifndef GMT_BASE_CFI_H
#define GMT_BASE_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/eh_frame.h"

enum gmt_rule_kind {
    GMT_RULE_NONE,   /* not understood: the walk stops, or tries frame pointers */
    GMT_RULE_FRAME,  /* the caller's frame, as the other members say */
    GMT_RULE_END,    /* the outermost frame of the thread */
    GMT_RULE_SIGNAL, /* a signal trampoline: registers are in the kernel's frame */
};

/* How to get from a frame to its caller's. The CFA is the caller's stack pointer. */
struct gmt_rule {
    uint8_t kind;       /* enum gmt_rule_kind */
    bool cfa_from_fp;   /* the base is the frame pointer, not the stack pointer */
    bool cfa_indirect;  /* the CFA is what lies in memory at base + offset */
    bool fp_saved;      /* the caller's frame pointer lies at CFA + fp_offset; else it is unchanged */
    bool fp_from_fp;    /* … no: at frame pointer + fp_offset (functions that realign their stack) */
    bool ra_saved;      /* the return address lies at CFA + ra_offset; else it is still in the link register */
    int32_t cfa_offset; /* bytes */
    int32_t fp_offset;  /* bytes */
    int32_t ra_offset;  /* bytes */
};

/* The rule at `pc` within the function that `code` describes; kind GMT_RULE_NONE when it is not understood. */
struct gmt_rule gmt_cfi_run(const struct gmt_unwind_code *code, uintptr_t pc);

#endif

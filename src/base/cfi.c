/* The interpreter of call frame instructions, for the three registers that a walk needs. */
#include "base/cfi.h"

#include "base/registers.h"

#define REMEMBERED_MAX 8
#define EXPRESSION_STACK 8

enum place { SAME, SAVED, SAVED_NEAR_FP, UNDEFINED, OTHER };

/* Where one register of the caller is. */
struct where {
    uint8_t place;  /* enum place */
    int64_t offset; /* from the CFA when SAVED, from the frame pointer when SAVED_NEAR_FP */
};

struct row {
    uint64_t cfa_register;
    int64_t cfa_offset;
    bool cfa_indirect;
    bool cfa_unknown;
    struct where fp;
    struct where ra;
};

struct machine {
    const struct gmt_unwind_code *code;
    uintptr_t pc;
    uintptr_t location;
    struct row now;
    struct row initial;
    struct row remembered[REMEMBERED_MAX];
    unsigned depth;
    bool arrived; /* the next row starts beyond pc */
};

static struct where *where_of(struct row *row, uint64_t number)
{
    if (number == GMT_DWARF_FP)
        return &row->fp;
    return number == GMT_DWARF_RA ? &row->ra : NULL;
}

static void set(struct machine *machine, uint64_t number, enum place place, int64_t offset)
{
    struct where *where = where_of(&machine->now, number);
    if (where)
        *where = (struct where){(uint8_t)place, offset};
}

static void restore(struct machine *machine, uint64_t number)
{
    struct where *where = where_of(&machine->now, number);
    if (where)
        *where = *where_of(&machine->initial, number);
}

/* A factored offset. Unsigned: nonsense in a table may wrap around, but not be undefined. */
static int64_t scaled(const struct machine *machine, uint64_t number)
{
    return (int64_t)(number * (uint64_t)machine->code->data_alignment);
}

static void advance(struct machine *machine, uint64_t delta)
{
    uintptr_t next = machine->location + delta * machine->code->code_alignment;
    if (next > machine->pc)
        machine->arrived = true;
    else
        machine->location = next;
}

/* A value of an expression: a number, or the frame or stack pointer plus a number. */
struct value {
    uint64_t base; /* DWARF number of the register, or NO_BASE */
    int64_t number;
};
#define NO_BASE UINT64_MAX

static bool binary(uint8_t operation, struct value a, struct value b, struct value *result_out)
{
    uint64_t x = (uint64_t)a.number;
    uint64_t y = (uint64_t)b.number;
    *result_out = (struct value){NO_BASE, 0};
    if (operation == 0x22) { /* plus: one side may be a register */
        if (a.base != NO_BASE && b.base != NO_BASE)
            return false;
        result_out->base = a.base != NO_BASE ? a.base : b.base;
        result_out->number = (int64_t)(x + y);
        return true;
    }
    if (a.base != NO_BASE || b.base != NO_BASE)
        return false;
    switch (operation) {
    case 0x1a: /* and */
        result_out->number = (int64_t)(x & y);
        return true;
    case 0x24: /* shl */
        result_out->number = y < 64 ? (int64_t)(x << y) : 0;
        return true;
    case 0x2a: /* ge */
        result_out->number = a.number >= b.number;
        return true;
    default:
        return false;
    }
}

/* The CFA as an expression. Two forms occur: the procedure linkage table's, where only the program counter decides
 * (known here, so it folds to a constant), and "what lies at frame pointer + n", of functions that realign their stack.
 */
static void cfa_expression(struct machine *machine, struct gmt_byte_reader expression)
{
    struct value stack[EXPRESSION_STACK];
    unsigned depth = 0;
    bool indirect = false;
    struct row *row = &machine->now;
    row->cfa_unknown = true;
    while (gmt_reader_left(&expression) > 0) {
        uint8_t operation = (uint8_t)gmt_reader_fixed(&expression, 1);
        if (indirect) /* a load must come last */
            return;
        if (operation >= 0x30 && operation <= 0x4f && depth < EXPRESSION_STACK) { /* lit0 … lit31 */
            stack[depth++] = (struct value){NO_BASE, operation - 0x30};
        } else if (operation >= 0x70 && operation <= 0x8f && depth < EXPRESSION_STACK) { /* breg0 … breg31 */
            uint64_t number = operation - 0x70u;
            int64_t offset = gmt_reader_sleb(&expression);
            bool counter = number == GMT_DWARF_RA && GMT_DWARF_RA == 16; /* on x86-64 this number stands for rip */
            stack[depth++] = counter ? (struct value){NO_BASE, (int64_t)(machine->pc + (uint64_t)offset)}
                                     : (struct value){number, offset};
        } else if (operation == 0x06 && depth == 1) { /* deref */
            indirect = true;
        } else if (depth >= 2) {
            struct value result;
            if (!binary(operation, stack[depth - 2], stack[depth - 1], &result))
                return;
            stack[--depth - 1] = result;
        } else {
            return;
        }
    }
    if (expression.bad || depth != 1 || stack[0].base == NO_BASE)
        return;
    row->cfa_register = stack[0].base;
    row->cfa_offset = stack[0].number;
    row->cfa_indirect = indirect;
    row->cfa_unknown = false;
}

static void define_cfa(struct machine *machine, uint64_t number, int64_t offset)
{
    machine->now.cfa_register = number;
    machine->now.cfa_offset = offset;
    machine->now.cfa_indirect = false;
    machine->now.cfa_unknown = false;
}

/* A register saved where an expression says. The one form that occurs for the frame pointer is "frame pointer + n",
 * again of functions that realign their stack. */
static void saved_by_expression(struct machine *machine, struct gmt_byte_reader *code)
{
    uint64_t number = gmt_reader_uleb(code);
    uint64_t length = gmt_reader_uleb(code);
    struct gmt_byte_reader expression = *code;
    gmt_reader_skip(code, length);
    expression.end = code->at;
    bool near_fp = gmt_reader_fixed(&expression, 1) == 0x70 + GMT_DWARF_FP;
    int64_t offset = gmt_reader_sleb(&expression);
    near_fp = near_fp && !expression.bad && gmt_reader_left(&expression) == 0;
    set(machine, number, near_fp ? SAVED_NEAR_FP : OTHER, near_fp ? offset : 0);
}

static void skip_block(struct gmt_byte_reader *code)
{
    gmt_reader_skip(code, gmt_reader_uleb(code));
}

static void remember(struct machine *machine, struct gmt_byte_reader *code)
{
    if (machine->depth == REMEMBERED_MAX)
        code->bad = true;
    else
        machine->remembered[machine->depth++] = machine->now;
}

static void recall(struct machine *machine, struct gmt_byte_reader *code)
{
    if (machine->depth == 0)
        code->bad = true;
    else
        machine->now = machine->remembered[--machine->depth];
}

/* Instructions of the low range (DWARF 5, table 7.29), with those of GNU and Arm. */
static void run_extended(struct machine *machine, struct gmt_byte_reader *code, uint8_t operation)
{
    uint64_t number;
    switch (operation) {
    case 0x00: /* nop */
        break;
    case 0x01: /* set_loc: not used in .eh_frame */
        code->bad = true;
        break;
    case 0x02: /* advance_loc1 */
        advance(machine, gmt_reader_fixed(code, 1));
        break;
    case 0x03:
        advance(machine, gmt_reader_fixed(code, 2));
        break;
    case 0x04:
        advance(machine, gmt_reader_fixed(code, 4));
        break;
    case 0x05: /* offset_extended */
        number = gmt_reader_uleb(code);
        set(machine, number, SAVED, scaled(machine, gmt_reader_uleb(code)));
        break;
    case 0x06: /* restore_extended */
        restore(machine, gmt_reader_uleb(code));
        break;
    case 0x07: /* undefined */
        set(machine, gmt_reader_uleb(code), UNDEFINED, 0);
        break;
    case 0x08: /* same_value */
        set(machine, gmt_reader_uleb(code), SAME, 0);
        break;
    case 0x09: /* register */
        number = gmt_reader_uleb(code);
        set(machine, number, OTHER, 0);
        gmt_reader_uleb(code);
        break;
    case 0x0a:
        remember(machine, code);
        break;
    case 0x0b:
        recall(machine, code);
        break;
    case 0x0c: /* def_cfa */
        number = gmt_reader_uleb(code);
        define_cfa(machine, number, (int64_t)gmt_reader_uleb(code));
        break;
    case 0x0d: /* def_cfa_register */
        define_cfa(machine, gmt_reader_uleb(code), machine->now.cfa_offset);
        break;
    case 0x0e: /* def_cfa_offset */
        define_cfa(machine, machine->now.cfa_register, (int64_t)gmt_reader_uleb(code));
        break;
    case 0x0f: { /* def_cfa_expression */
        uint64_t length = gmt_reader_uleb(code);
        struct gmt_byte_reader expression = *code;
        gmt_reader_skip(code, length);
        expression.end = code->at;
        cfa_expression(machine, expression);
        break;
    }
    case 0x10: /* expression */
        saved_by_expression(machine, code);
        break;
    case 0x16: /* val_expression */
        set(machine, gmt_reader_uleb(code), OTHER, 0);
        skip_block(code);
        break;
    case 0x11: /* offset_extended_sf */
        number = gmt_reader_uleb(code);
        set(machine, number, SAVED, scaled(machine, (uint64_t)gmt_reader_sleb(code)));
        break;
    case 0x12: /* def_cfa_sf */
        number = gmt_reader_uleb(code);
        define_cfa(machine, number, scaled(machine, (uint64_t)gmt_reader_sleb(code)));
        break;
    case 0x13: /* def_cfa_offset_sf */
        define_cfa(machine, machine->now.cfa_register, scaled(machine, (uint64_t)gmt_reader_sleb(code)));
        break;
    case 0x14: /* val_offset, val_offset_sf */
    case 0x15:
        set(machine, gmt_reader_uleb(code), OTHER, 0);
        gmt_reader_uleb(code);
        break;
    case 0x2c: /* aarch64: as the next, and the counter takes part */
    case 0x2d: /* aarch64: the return address is signed from here on; its bits are always taken off */
        break;
    case 0x2e: /* GNU_args_size */
        gmt_reader_uleb(code);
        break;
    default:
        code->bad = true;
    }
}

static bool run(struct machine *machine, struct gmt_byte_reader code)
{
    while (!machine->arrived && gmt_reader_left(&code) > 0) {
        uint8_t operation = (uint8_t)gmt_reader_fixed(&code, 1);
        uint64_t operand = operation & 0x3f;
        switch (operation >> 6) {
        case 1: /* advance_loc */
            advance(machine, operand);
            break;
        case 2: /* offset */
            set(machine, operand, SAVED, scaled(machine, gmt_reader_uleb(&code)));
            break;
        case 3: /* restore */
            restore(machine, operand);
            break;
        default:
            run_extended(machine, &code, operation);
        }
    }
    return !code.bad;
}

static bool fits(int64_t offset)
{
    return offset >= INT32_MIN && offset <= INT32_MAX;
}

struct gmt_rule gmt_cfi_run(const struct gmt_unwind_code *code, uintptr_t pc)
{
    struct gmt_rule rule = {.kind = GMT_RULE_NONE};
    struct machine machine = {.code = code, .pc = UINTPTR_MAX, .location = code->start, .now = {.cfa_unknown = true}};
    if (code->return_register != GMT_DWARF_RA || !run(&machine, code->initial))
        return rule;
    machine.initial = machine.now;
    machine.pc = pc;
    machine.location = code->start;
    if (!run(&machine, code->own))
        return rule;
    const struct row *row = &machine.now;
    if (row->ra.place == UNDEFINED) {
        rule.kind = GMT_RULE_END;
        return rule;
    }
    bool base_known = row->cfa_register == GMT_DWARF_FP || row->cfa_register == GMT_DWARF_SP;
    if (row->cfa_unknown || !base_known || row->fp.place == OTHER || row->ra.place == OTHER ||
        row->ra.place == SAVED_NEAR_FP || !fits(row->cfa_offset) || !fits(row->fp.offset) || !fits(row->ra.offset))
        return rule;
    rule.kind = GMT_RULE_FRAME;
    rule.cfa_from_fp = row->cfa_register == GMT_DWARF_FP;
    rule.cfa_indirect = row->cfa_indirect;
    rule.cfa_offset = (int32_t)row->cfa_offset;
    rule.fp_saved = row->fp.place == SAVED || row->fp.place == SAVED_NEAR_FP;
    rule.fp_from_fp = row->fp.place == SAVED_NEAR_FP;
    rule.fp_offset = (int32_t)row->fp.offset;
    rule.ra_saved = row->ra.place == SAVED;
    rule.ra_offset = (int32_t)row->ra.offset;
    return rule;
}

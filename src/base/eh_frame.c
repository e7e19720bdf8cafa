/* .eh_frame_hdr and .eh_frame. */
#include "base/eh_frame.h"

/* Pointer encodings: LSB Core, 10.5.1. */
#define PE_ABSOLUTE 0x00
#define PE_OMIT 0xff
#define PE_FORMAT 0x0f
#define PE_RELATION 0x70
#define PE_PC_RELATIVE 0x10
#define PE_INDIRECT 0x80
#define HEADER_TABLE_ENCODING 0x3b /* relative to the header, signed 4 bytes: what every linker writes */

/* A pointer in encoding `encoding`, or 0 with `bad` set for an encoding that does not occur here. */
static uintptr_t read_pointer(struct gmt_byte_reader *reader, uint8_t encoding)
{
    uintptr_t place = (uintptr_t)reader->at;
    uintptr_t value = 0;
    switch (encoding & PE_FORMAT) {
    case 0x00: /* a whole pointer */
    case 0x04:
    case 0x0c:
        value = (uintptr_t)gmt_reader_fixed(reader, 8);
        break;
    case 0x01:
        value = (uintptr_t)gmt_reader_uleb(reader);
        break;
    case 0x02:
        value = (uintptr_t)gmt_reader_fixed(reader, 2);
        break;
    case 0x03:
        value = (uintptr_t)gmt_reader_fixed(reader, 4);
        break;
    case 0x09:
        value = (uintptr_t)gmt_reader_sleb(reader);
        break;
    case 0x0a:
        value = (uintptr_t)(int16_t)gmt_reader_fixed(reader, 2);
        break;
    case 0x0b:
        value = (uintptr_t)(int32_t)gmt_reader_fixed(reader, 4);
        break;
    default:
        reader->bad = true;
        return 0;
    }
    if ((encoding & PE_RELATION) == PE_PC_RELATIVE)
        return value == 0 ? 0 : place + value;
    if ((encoding & PE_RELATION) != PE_ABSOLUTE)
        reader->bad = true;
    return value;
}

/* The body of an entry of .eh_frame at `place` (behind its length), or an empty bad reader. */
static struct gmt_byte_reader open_entry(const uint8_t *place, const uint8_t *low, const uint8_t *high)
{
    struct gmt_byte_reader reader = {place, high, place < low || place >= high};
    uint64_t length = gmt_reader_fixed(&reader, 4);
    if (length == 0xffffffffu)
        length = gmt_reader_fixed(&reader, 8);
    if (length == 0 || length > gmt_reader_left(&reader))
        reader.bad = true;
    else
        reader.end = reader.at + length;
    return reader;
}

/* The augmentation of a CIE: how pointers are encoded, and whether its functions are signal trampolines. */
static void read_augmentation(struct gmt_byte_reader *cie, const char *letters, uint8_t *pointer_encoding_out,
                              struct gmt_unwind_code *code)
{
    if (letters[0] != 'z') {
        cie->bad |= letters[0] != '\0'; /* "eh" of GCC 2 and other relics */
        return;
    }
    uint64_t length = gmt_reader_uleb(cie);
    struct gmt_byte_reader data = *cie;
    gmt_reader_skip(cie, length);
    for (const char *letter = letters + 1; *letter != '\0' && !data.bad; letter++) {
        uint8_t encoding;
        switch (*letter) {
        case 'R':
            *pointer_encoding_out = (uint8_t)gmt_reader_fixed(&data, 1);
            break;
        case 'P': /* the personality routine: not needed, but in the way */
            encoding = (uint8_t)gmt_reader_fixed(&data, 1);
            read_pointer(&data, encoding & ~PE_INDIRECT);
            break;
        case 'L':
            gmt_reader_fixed(&data, 1);
            break;
        case 'S':
            code->signal_frame = true;
            break;
        case 'B': /* aarch64: return addresses are signed with the B key */
            break;
        default:
            return; /* unknown letters may only add data behind the known ones */
        }
    }
}

static bool read_cie(const uint8_t *place, const uint8_t *low, const uint8_t *high, uint8_t *pointer_encoding_out,
                     bool *augmented_out, struct gmt_unwind_code *code)
{
    struct gmt_byte_reader cie = open_entry(place, low, high);
    if (gmt_reader_fixed(&cie, 4) != 0)
        return false;
    uint64_t version = gmt_reader_fixed(&cie, 1);
    const char *letters = (const char *)cie.at;
    while (gmt_reader_fixed(&cie, 1) != 0)
        continue;
    if (cie.bad || (version != 1 && version != 3))
        return false;
    code->code_alignment = gmt_reader_uleb(&cie);
    code->data_alignment = gmt_reader_sleb(&cie);
    code->return_register = version == 1 ? gmt_reader_fixed(&cie, 1) : gmt_reader_uleb(&cie);
    *augmented_out = letters[0] == 'z';
    read_augmentation(&cie, letters, pointer_encoding_out, code);
    code->initial = cie;
    return !cie.bad;
}

bool gmt_eh_frame_read(const uint8_t *entry, const uint8_t *low, const uint8_t *high, uintptr_t pc,
                       struct gmt_unwind_code *code)
{
    *code = (struct gmt_unwind_code){.start = 0};
    struct gmt_byte_reader fde = open_entry(entry, low, high);
    const uint8_t *pointer_place = fde.at;
    uint64_t distance = gmt_reader_fixed(&fde, 4);
    if (fde.bad || distance == 0 || distance > (uint64_t)(pointer_place - low))
        return false;
    uint8_t encoding = PE_ABSOLUTE;
    bool augmented = false;
    if (!read_cie(pointer_place - distance, low, high, &encoding, &augmented, code))
        return false;
    code->start = read_pointer(&fde, encoding);
    uintptr_t length = read_pointer(&fde, encoding & PE_FORMAT);
    if (augmented)
        gmt_reader_skip(&fde, gmt_reader_uleb(&fde));
    code->own = fde;
    return !fde.bad && pc >= code->start && pc - code->start < length;
}

bool gmt_eh_frame_search(const uint8_t *header, const uint8_t *low, const uint8_t *high, uintptr_t pc,
                         const uint8_t **entry_out)
{
    struct gmt_byte_reader reader = {header, high, header < low || header >= high};
    uint64_t version = gmt_reader_fixed(&reader, 1);
    uint8_t frame_encoding = (uint8_t)gmt_reader_fixed(&reader, 1);
    uint8_t count_encoding = (uint8_t)gmt_reader_fixed(&reader, 1);
    uint64_t table_encoding = gmt_reader_fixed(&reader, 1);
    if (reader.bad || version != 1 || table_encoding != HEADER_TABLE_ENCODING || count_encoding == PE_OMIT)
        return false;
    if (frame_encoding != PE_OMIT)
        read_pointer(&reader, frame_encoding);
    uint64_t count = read_pointer(&reader, count_encoding);
    if (reader.bad || count == 0 || count > gmt_reader_left(&reader) / 8)
        return false;
    /* Pairs of (function, entry), sorted by function; the last function that starts at or below pc. */
    const uint8_t *table = reader.at;
    uint64_t first = 0;
    uint64_t past = count;
    while (past - first > 1) {
        uint64_t middle = first + (past - first) / 2;
        int32_t start;
        memcpy(&start, table + middle * 8, 4);
        if ((uintptr_t)header + (uintptr_t)(intptr_t)start <= pc)
            first = middle;
        else
            past = middle;
    }
    int32_t entry;
    memcpy(&entry, table + first * 8 + 4, 4);
    *entry_out = (const uint8_t *)((uintptr_t)header + (uintptr_t)(intptr_t)entry);
    return true;
}

/* The part of an object's file that is mapped around `place`. False when none is. */
static bool segment_around(const struct dl_phdr_info *info, const uint8_t *place, const uint8_t **low_out,
                           const uint8_t **high_out)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        const uint8_t *low = (const uint8_t *)(info->dlpi_addr + segment->p_vaddr);
        if (segment->p_type != PT_LOAD || place < low || (size_t)(place - low) >= segment->p_filesz)
            continue;
        *low_out = low;
        *high_out = low + segment->p_filesz;
        return true;
    }
    return false;
}

bool gmt_eh_frame_find(const struct dl_phdr_info *info, uintptr_t pc, struct gmt_unwind_code *code_out)
{
    const uint8_t *header = NULL;
    for (unsigned i = 0; i < info->dlpi_phnum && !header; i++) {
        if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
            header = (const uint8_t *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    }
    /* The two sections may lie in different segments: older compilers made .eh_frame writable. */
    const uint8_t *low;
    const uint8_t *high;
    const uint8_t *entry;
    return header && segment_around(info, header, &low, &high) && gmt_eh_frame_search(header, low, high, pc, &entry) &&
           segment_around(info, entry, &low, &high) && gmt_eh_frame_read(entry, low, high, pc, code_out);
}

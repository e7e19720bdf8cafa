/* Names and wrappers of the rows. Built without sanitizers and built-ins: the dlsym door comes through here. */
#include "hook/entry.h"

#include "base/elf_image.h"
#include "hook/wrappers.h"

const char *const gmt_entry_names[GMT_ENTRY_COUNT] = {
#define GMT_ENTRY(library, name, result, parameters, arguments, rule) #name,
#include "hook/entry_points.def"
#undef GMT_ENTRY
};

void *const gmt_entry_exported[GMT_ENTRY_COUNT] = {
#define GMT_ENTRY(library, name, result, parameters, arguments, rule) (void *)name,
#include "hook/entry_points.def"
#undef GMT_ENTRY
};

void *const gmt_entry_handed_out[GMT_ENTRY_COUNT] = {
#define GMT_ENTRY(library, name, result, parameters, arguments, rule) (void *)gmt_handed_out_##name,
#include "hook/entry_points.def"
#undef GMT_ENTRY
};

void *const gmt_entry_missing[GMT_ENTRY_COUNT] = {
#define GMT_ENTRY(library, name, result, parameters, arguments, rule) (void *)gmt_missing_##name,
#include "hook/entry_points.def"
#undef GMT_ENTRY
};

struct gmt_entry_targets gmt_entry_targets[GMT_ENTRY_COUNT] = {
#define GMT_ENTRY(library, name, result, parameters, arguments, rule)                                                  \
    {(void *)gmt_missing_##name, (void *)gmt_missing_##name},
#include "hook/entry_points.def"
#undef GMT_ENTRY
};

int gmt_entry_find(const char *name)
{
    if (name[0] != 'c' || name[1] != 'u') /* nearly every name that a program looks up ends here */
        return -1;
    for (int i = 0; i < GMT_ENTRY_COUNT; i++) {
        if (gmt_elf_name_equals(gmt_entry_names[i], name))
            return i;
    }
    return -1;
}

static const char *const rules[GMT_ENTRY_COUNT] = {
#define GMT_ENTRY(library, name, result, parameters, arguments, rule) #rule,
#include "hook/entry_points.def"
#undef GMT_ENTRY
};

bool gmt_entry_only_watched(int row)
{
    return gmt_elf_name_equals(rules[row], "WATCH");
}

static int find_address(void *const *wrappers, const void *address)
{
    for (int i = 0; i < GMT_ENTRY_COUNT; i++) {
        if (wrappers[i] == address)
            return i;
    }
    return -1;
}

int gmt_entry_find_exported(const void *address)
{
    return find_address(gmt_entry_exported, address);
}

int gmt_entry_find_handed_out(const void *address)
{
    return find_address(gmt_entry_handed_out, address);
}

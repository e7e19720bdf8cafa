/* Discovery of the driver. */
#include "hook/driver.h"

#include <string.h>

#include "base/code_epoch.h"
#include "base/elf_image.h"
#include "base/lock.h"
#include "hook/entry.h"

#define DRIVER_SONAME "libcuda.so.1"
#define SIMULATOR_MARK "gpumemtrace_simulator"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define GMT_QUERY(name, result, parameters)                                                                            \
    static result missing_##name parameters                                                                            \
    {                                                                                                                  \
        return CUDA_ERROR_NOT_FOUND;                                                                                   \
    }
#include "hook/queries.def"
#undef GMT_QUERY
#pragma GCC diagnostic pop

static const struct gmt_driver_queries missing_queries = {
#define GMT_QUERY(name, result, parameters) missing_##name,
#include "hook/queries.def"
#undef GMT_QUERY
};

struct gmt_driver_queries gmt_driver_queries = {
#define GMT_QUERY(name, result, parameters) missing_##name,
#include "hook/queries.def"
#undef GMT_QUERY
};

static const char *const query_names[] = {
#define GMT_QUERY(name, result, parameters) #name,
#include "hook/queries.def"
#undef GMT_QUERY
};
#define QUERY_COUNT (sizeof query_names / sizeof query_names[0])

/* What one discovery found. Published as a whole under `publish_lock`. */
struct found {
    struct gmt_entry_targets targets[GMT_ENTRY_COUNT];
    void *queries[QUERY_COUNT];
    bool loaded;
    bool simulated;
    bool past_us; /* while walking: our own object has gone by */
};
_Static_assert(sizeof(struct gmt_driver_queries) == sizeof(((struct found *)0)->queries), "one pointer per query");

static struct gmt_lock publish_lock;
static bool driver_loaded;
static bool driver_simulated;
static uint32_t scanned_epoch; /* code epoch of the last scan, plus 1; 0 before the first */

/* Wrappers read the targets without a lock, so each pointer is stored atomically. */
static void publish(const struct found *found, uint32_t epoch)
{
    if (gmt_lock_take(&publish_lock) != 0)
        return;
    for (unsigned i = 0; i < GMT_ENTRY_COUNT; i++) {
        __atomic_store_n(&gmt_entry_targets[i].next, found->targets[i].next, __ATOMIC_RELAXED);
        __atomic_store_n(&gmt_entry_targets[i].driver, found->targets[i].driver, __ATOMIC_RELAXED);
    }
    void **queries = (void **)&gmt_driver_queries;
    for (unsigned i = 0; i < QUERY_COUNT; i++)
        __atomic_store_n(&queries[i], found->queries[i], __ATOMIC_RELAXED);
    __atomic_store_n(&driver_simulated, found->simulated, __ATOMIC_RELAXED);
    __atomic_store_n(&driver_loaded, found->loaded, __ATOMIC_RELEASE);
    __atomic_store_n(&scanned_epoch, epoch + 1, __ATOMIC_RELEASE);
    gmt_lock_give(&publish_lock);
}

static bool is_driver(const struct gmt_elf_image *image)
{
    return image->soname && gmt_elf_name_equals(image->soname, DRIVER_SONAME);
}

static void take_driver(const struct gmt_elf_image *image, struct found *found)
{
    found->loaded = true;
    found->simulated = gmt_elf_image_find(image, SIMULATOR_MARK) != NULL;
    for (unsigned i = 0; i < GMT_ENTRY_COUNT; i++) {
        void *address = gmt_elf_image_find(image, gmt_entry_names[i]);
        if (address)
            found->targets[i].driver = address;
    }
    for (unsigned i = 0; i < QUERY_COUNT; i++) {
        void *address = gmt_elf_image_find(image, query_names[i]);
        if (address)
            found->queries[i] = address;
    }
}

static int visit_object(const struct gmt_elf_image *image, const struct dl_phdr_info *info, void *argument)
{
    struct found *found = argument;
    if (!found->past_us) {
        found->past_us = gmt_elf_contains(info, (uintptr_t)visit_object);
        return 0;
    }
    /* The next definer of each name, whoever it is: another interposer keeps its turn. */
    for (unsigned i = 0; i < GMT_ENTRY_COUNT; i++) {
        if (!found->targets[i].next)
            found->targets[i].next = gmt_elf_image_find(image, gmt_entry_names[i]);
    }
    if (!found->loaded && is_driver(image))
        take_driver(image, found);
    return 0;
}

void gmt_driver_discover(void)
{
    uint32_t epoch = gmt_code_epoch();
    if (__atomic_load_n(&scanned_epoch, __ATOMIC_ACQUIRE) == epoch + 1 && gmt_driver_loaded())
        return;
    struct found found = {.loaded = false};
    memcpy(found.queries, &missing_queries, sizeof found.queries);
    gmt_elf_each(visit_object, &found);
    for (unsigned i = 0; i < GMT_ENTRY_COUNT; i++) {
        if (!found.targets[i].driver)
            found.targets[i].driver = gmt_entry_missing[i];
        if (!found.targets[i].next)
            found.targets[i].next = gmt_entry_missing[i];
    }
    publish(&found, epoch);
}

void gmt_driver_reset_lock(void)
{
    gmt_lock_reset(&publish_lock);
}

bool gmt_driver_loaded(void)
{
    return __atomic_load_n(&driver_loaded, __ATOMIC_ACQUIRE);
}

bool gmt_driver_simulated(void)
{
    return __atomic_load_n(&driver_simulated, __ATOMIC_RELAXED);
}

int gmt_driver_find(const void *address)
{
    for (int i = 0; i < GMT_ENTRY_COUNT; i++) {
        void *target = __atomic_load_n(&gmt_entry_targets[i].driver, __ATOMIC_RELAXED);
        if (target == address && target != gmt_entry_missing[i])
            return i;
    }
    return -1;
}

struct contains {
    uintptr_t address;
    bool inside;
};

static int visit_for_contains(const struct gmt_elf_image *image, const struct dl_phdr_info *info, void *argument)
{
    struct contains *contains = argument;
    if (!is_driver(image))
        return 0;
    contains->inside = gmt_elf_contains(info, contains->address);
    return contains->inside;
}

bool gmt_driver_contains(const void *address)
{
    struct contains contains = {(uintptr_t)address, false};
    gmt_elf_each(visit_for_contains, &contains);
    return contains.inside;
}

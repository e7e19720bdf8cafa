/* cuGetProcAddress: which exported function answers a name at a version. Rules as measured on a real driver: the newest
 * variant not newer than the version; a twin where the per-thread default stream is asked for and one exists.
 */
#include <stdlib.h>
#include <string.h>

#include "simulator/arrivals.h"
#include "simulator/body.h"
#include "simulator/script.h"
#include "simulator/simulator.h"

enum { NEWEST = 13000, FLAGS = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM };

struct version {
    const char *name;
    int first;
    int twin;
    const char *exported;
};

static const struct version versions[] = {
#define GMT_SIM_VERSION(name, first, twin, exported) {#name, first, twin, #exported},
#include "simulator/versions.def"
#undef GMT_SIM_VERSION
};

enum { VERSIONS = sizeof versions / sizeof *versions };

static int compare(const void *key, const void *row)
{
    return strcmp(key, ((const struct version *)row)->name);
}

/* The first row of a name, NULL for an unknown one. */
static const struct version *find(const char *name)
{
    const struct version *row = bsearch(name, versions, VERSIONS, sizeof *versions, compare);
    while (row && row > versions && strcmp(row[-1].name, name) == 0)
        row--;
    return row;
}

/* The address that answers, or NULL with the reason. */
static void *look_up(const char *name, int version, bool twin, CUdriverProcAddressQueryResult *status_out)
{
    const struct version *row = find(name), *best = NULL;
    bool has_twin = false;
    *status_out = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    if (!row)
        return NULL;
    for (const struct version *i = row; i < versions + VERSIONS && strcmp(i->name, name) == 0; i++)
        has_twin |= i->twin != 0;
    for (const struct version *i = row; i < versions + VERSIONS && strcmp(i->name, name) == 0; i++) {
        /* Unsigned, as in a real driver: version -1 is newer than any. */
        if (i->twin == (twin && has_twin) && (unsigned int)i->first <= (unsigned int)version)
            best = i;
    }
    if (!best) {
        *status_out = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
        return NULL;
    }
    int entry = gmt_sim_entry_find(best->exported);
    if (entry < 0 || gmt_sim_script_missing(entry))
        return NULL;
    *status_out = CU_GET_PROC_ADDRESS_SUCCESS;
    return gmt_sim_entries[entry].address;
}

GMT_SIM_BODY(cuGetProcAddress_v2)
(const char *name, void **address, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *status)
{
    CUdriverProcAddressQueryResult found;
    if (version > NEWEST || (flags & ~(cuuint64_t)FLAGS))
        return CUDA_ERROR_INVALID_VALUE;
    *address = look_up(name, version, (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0, &found);
    if (!*address && strcmp(name, "gpumemtrace_simulator_declare_variable") == 0) {
        *address = (void *)gpumemtrace_simulator_declare_variable;
        found = CU_GET_PROC_ADDRESS_SUCCESS;
    }
    if (status)
        *status = found;
    return CUDA_SUCCESS;
}

/* The first variant cannot say why: not found is an error, and the pointer stays as it was. */
GMT_SIM_BODY(cuGetProcAddress)(const char *name, void **address, int version, cuuint64_t flags)
{
    void *found;
    CUresult result = gmt_sim_cuGetProcAddress_v2(name, &found, version, flags, NULL);
    if (result != CUDA_SUCCESS)
        return result;
    if (!found)
        return CUDA_ERROR_NOT_FOUND;
    *address = found;
    return CUDA_SUCCESS;
}

/* The tables behind it are undocumented; there is none here. */
GMT_SIM_BODY(cuGetExportTable)(const void **table, const CUuuid *id)
{
    (void)table;
    (void)id;
    return CUDA_ERROR_INVALID_VALUE;
}

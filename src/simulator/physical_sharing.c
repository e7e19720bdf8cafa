/* Physical memory and multicast objects as file descriptors, which another process can be sent. */
#include "simulator/assumed_answers.h"
#include "simulator/measured_answers.h"
#include "simulator/multicast.h"
#include "simulator/physical_memory.h"

GMT_SIM_BODY(cuMemExportToShareableHandle)
(void *shareable, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType type, unsigned long long flags)
{
    if (!shareable || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return GMT_SIM_HANDLE_TYPE_UNKNOWN;
    gmt_sim_lock();
    struct gmt_sim_physical *physical = gmt_sim_physical_of(handle);
    if (!physical)
        return gmt_sim_leave(GMT_SIM_NO_SUCH_PHYSICAL);
    if (!((unsigned int)physical->properties.requestedHandleTypes & (unsigned int)type))
        return gmt_sim_leave(GMT_SIM_HANDLE_TYPE_NOT_ASKED);
    int fd = gmt_sim_shared_lend(&physical->file);
    if (fd >= 0)
        *(int *)shareable = fd;
    return gmt_sim_leave(fd >= 0 ? CUDA_SUCCESS : GMT_SIM_SYSTEM_REFUSED);
}

/* Takes over `file`. What is imported counts where it was made, and cannot be exported again (measured). Lock held. */
static CUresult add_foreign(const struct gmt_sim_shared *file, const struct gmt_sim_shared_label *label,
                            struct gmt_sim_physical **added_out)
{
    struct gmt_sim_physical wanted = {.device = gmt_sim_device(label->device),
                                      .properties = label->properties,
                                      .bytes = label->bytes,
                                      .file = *file,
                                      .own_file = true};
    bool multicast = label->kind == GMT_SIM_SHARED_MULTICAST;
    if (!multicast)
        wanted.properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_NONE;
    else
        wanted.team = gmt_sim_team_new(file, label->bytes);
    *added_out = !multicast || wanted.team ? gmt_sim_physical_add(&wanted) : NULL;
    if (*added_out)
        return CUDA_SUCCESS;
    if (wanted.team)
        gmt_sim_team_end(wanted.team);
    gmt_sim_shared_close(&wanted.file);
    return CUDA_ERROR_OUT_OF_MEMORY;
}

/* The program's descriptor stays its own. Memory gets a new handle each time (measured), a multicast object that this
 * process knows already another reference. */
GMT_SIM_BODY(cuMemImportFromShareableHandle)
(CUmemGenericAllocationHandle *handle, void *shareable, CUmemAllocationHandleType type)
{
    struct gmt_sim_shared file;
    struct gmt_sim_shared_label label;
    int fd = (int)(intptr_t)shareable;
    if (!handle)
        return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return GMT_SIM_HANDLE_TYPE_UNKNOWN;
    gmt_sim_lock();
    if (!gmt_sim_shared_accept(fd, GMT_SIM_SHARED_PHYSICAL, &file, &label) &&
        !gmt_sim_shared_accept(fd, GMT_SIM_SHARED_MULTICAST, &file, &label))
        return gmt_sim_leave(CUDA_ERROR_UNKNOWN); /* measured with a pipe */
    struct gmt_sim_physical *physical = gmt_sim_multicast_in(&file);
    CUresult result = CUDA_SUCCESS;
    if (physical) {
        physical->references++;
        gmt_sim_shared_close(&file);
    } else if (label.device >= 0 && !gmt_sim_device(label.device)) {
        gmt_sim_shared_close(&file);
        result = CUDA_ERROR_INVALID_DEVICE;
    } else {
        result = add_foreign(&file, &label, &physical);
    }
    if (result == CUDA_SUCCESS)
        *handle = (uintptr_t)physical;
    return gmt_sim_leave(result);
}

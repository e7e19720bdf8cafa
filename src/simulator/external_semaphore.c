/* Semaphores of other APIs. All work is done when it is put in and nobody else works on this device, so waiting and
 * signalling are accepted and over at once.
 */
#include <stdlib.h>

#include "simulator/assumed_answers.h"
#include "simulator/handle.h"
#include "simulator/shared_file.h"
#include "simulator/stream.h"

static struct gmt_sim_shared *semaphore_of(CUexternalSemaphore handle)
{
    return gmt_sim_handle_is(handle, GMT_SIM_EXTERNAL_SEMAPHORE) ? (struct gmt_sim_shared *)handle : NULL;
}

/* The descriptor is the driver's from now on, unless this fails. */
GMT_SIM_BODY(cuImportExternalSemaphore)
(CUexternalSemaphore *handle, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *wanted)
{
    struct gmt_sim_shared file;
    if (!handle || !wanted || wanted->flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (wanted->type != CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD &&
        wanted->type != CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD)
        return GMT_SIM_EXTERNAL_UNKNOWN;
    if (!gmt_sim_shared_adopt(wanted->handle.fd, &file))
        return GMT_SIM_EXTERNAL_WRONG;
    gmt_sim_lock();
    struct gmt_sim_shared *semaphore = gmt_sim_handle_new(sizeof *semaphore, GMT_SIM_EXTERNAL_SEMAPHORE);
    if (!semaphore)
        return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
    *semaphore = file;
    *handle = (CUexternalSemaphore)semaphore;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuDestroyExternalSemaphore)(CUexternalSemaphore handle)
{
    gmt_sim_lock();
    struct gmt_sim_shared *semaphore = semaphore_of(handle);
    if (!semaphore)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    gmt_sim_handle_remove(semaphore);
    gmt_sim_shared_close(semaphore);
    free(semaphore);
    return gmt_sim_leave(CUDA_SUCCESS);
}

static CUresult accept_all(const CUexternalSemaphore *handles, const void *parameters, unsigned int count,
                           CUstream stream_handle)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_stream_now(stream_handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (!handles || !parameters || count == 0)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    for (unsigned int i = 0; i < count; i++) {
        if (!semaphore_of(handles[i]))
            return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    }
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuSignalExternalSemaphoresAsync)
(const CUexternalSemaphore *handles, const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *parameters, unsigned int count,
 CUstream stream)
{
    return accept_all(handles, parameters, count, stream);
}
GMT_SIM_TWIN(cuSignalExternalSemaphoresAsync_ptsz, cuSignalExternalSemaphoresAsync)

GMT_SIM_BODY(cuWaitExternalSemaphoresAsync)
(const CUexternalSemaphore *handles, const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *parameters, unsigned int count,
 CUstream stream)
{
    return accept_all(handles, parameters, count, stream);
}
GMT_SIM_TWIN(cuWaitExternalSemaphoresAsync_ptsz, cuWaitExternalSemaphoresAsync)

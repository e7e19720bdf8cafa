/* Copies of one row to, from and between arrays: a byte offset stands for the place in the array's first row. */
#include "simulator/transfer.h"

#define ADDRESS(pointer) ((uint64_t)(uintptr_t)(pointer))

static struct gmt_sim_rows in_array(CUarray array, uint64_t offset)
{
    return (struct gmt_sim_rows){.side = GMT_SIM_IN_ARRAY, .array = array, .x = offset};
}

static struct gmt_sim_rows at(enum gmt_sim_side side, uint64_t address)
{
    return (struct gmt_sim_rows){.side = side, .address = address};
}

static CUresult copy_row(struct gmt_sim_rows to, struct gmt_sim_rows from, uint64_t bytes, CUstream stream, bool old)
{
    struct gmt_sim_copy copy = {to, from, bytes, 1, 1};
    return gmt_sim_copy_in_stream(&copy, stream, old);
}

static CUresult device_to_array(CUarray to, size_t offset, uint64_t from, size_t bytes, CUstream stream, bool old)
{
    return copy_row(in_array(to, offset), at(GMT_SIM_ON_DEVICE, from), bytes, stream, old);
}

static CUresult host_to_array(CUarray to, size_t offset, const void *from, size_t bytes, CUstream stream, bool old)
{
    return copy_row(in_array(to, offset), at(GMT_SIM_ON_HOST, ADDRESS(from)), bytes, stream, old);
}

static CUresult array_to_device(uint64_t to, CUarray from, size_t offset, size_t bytes, CUstream stream, bool old)
{
    return copy_row(at(GMT_SIM_ON_DEVICE, to), in_array(from, offset), bytes, stream, old);
}

static CUresult array_to_host(void *to, CUarray from, size_t offset, size_t bytes, CUstream stream, bool old)
{
    return copy_row(at(GMT_SIM_ON_HOST, ADDRESS(to)), in_array(from, offset), bytes, stream, old);
}

GMT_SIM_BODY(cuMemcpyDtoA_v2)(CUarray to, size_t offset, CUdeviceptr from, size_t bytes)
{
    return device_to_array(to, offset, from, bytes, NULL, false);
}
GMT_SIM_TWIN(cuMemcpyDtoA_v2_ptds, cuMemcpyDtoA_v2)

GMT_SIM_BODY(cuMemcpyAtoD_v2)(CUdeviceptr to, CUarray from, size_t offset, size_t bytes)
{
    return array_to_device(to, from, offset, bytes, NULL, false);
}
GMT_SIM_TWIN(cuMemcpyAtoD_v2_ptds, cuMemcpyAtoD_v2)

GMT_SIM_BODY(cuMemcpyHtoA_v2)(CUarray to, size_t offset, const void *from, size_t bytes)
{
    return host_to_array(to, offset, from, bytes, NULL, false);
}
GMT_SIM_TWIN(cuMemcpyHtoA_v2_ptds, cuMemcpyHtoA_v2)

GMT_SIM_BODY(cuMemcpyHtoAAsync_v2)(CUarray to, size_t offset, const void *from, size_t bytes, CUstream stream)
{
    return host_to_array(to, offset, from, bytes, stream, false);
}
GMT_SIM_TWIN(cuMemcpyHtoAAsync_v2_ptsz, cuMemcpyHtoAAsync_v2)

GMT_SIM_BODY(cuMemcpyAtoH_v2)(void *to, CUarray from, size_t offset, size_t bytes)
{
    return array_to_host(to, from, offset, bytes, NULL, false);
}
GMT_SIM_TWIN(cuMemcpyAtoH_v2_ptds, cuMemcpyAtoH_v2)

GMT_SIM_BODY(cuMemcpyAtoHAsync_v2)(void *to, CUarray from, size_t offset, size_t bytes, CUstream stream)
{
    return array_to_host(to, from, offset, bytes, stream, false);
}
GMT_SIM_TWIN(cuMemcpyAtoHAsync_v2_ptsz, cuMemcpyAtoHAsync_v2)

GMT_SIM_BODY(cuMemcpyAtoA_v2)(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes)
{
    return copy_row(in_array(to, to_offset), in_array(from, from_offset), bytes, NULL, false);
}
GMT_SIM_TWIN(cuMemcpyAtoA_v2_ptds, cuMemcpyAtoA_v2)

/* The 32-bit entries. */
GMT_SIM_BODY(cuMemcpyDtoA)(CUarray to, unsigned int offset, CUdeviceptr_v1 from, unsigned int bytes)
{
    return device_to_array(to, offset, from, bytes, NULL, true);
}

GMT_SIM_BODY(cuMemcpyAtoD)(CUdeviceptr_v1 to, CUarray from, unsigned int offset, unsigned int bytes)
{
    return array_to_device(to, from, offset, bytes, NULL, true);
}

GMT_SIM_BODY(cuMemcpyHtoA)(CUarray to, unsigned int offset, const void *from, unsigned int bytes)
{
    return host_to_array(to, offset, from, bytes, NULL, true);
}

GMT_SIM_BODY(cuMemcpyHtoAAsync)
(CUarray to, unsigned int offset, const void *from, unsigned int bytes, CUstream stream)
{
    return host_to_array(to, offset, from, bytes, stream, true);
}

GMT_SIM_BODY(cuMemcpyAtoH)(void *to, CUarray from, unsigned int offset, unsigned int bytes)
{
    return array_to_host(to, from, offset, bytes, NULL, true);
}

GMT_SIM_BODY(cuMemcpyAtoHAsync)(void *to, CUarray from, unsigned int offset, unsigned int bytes, CUstream stream)
{
    return array_to_host(to, from, offset, bytes, stream, true);
}

GMT_SIM_BODY(cuMemcpyAtoA)
(CUarray to, unsigned int to_offset, CUarray from, unsigned int from_offset, unsigned int bytes)
{
    return copy_row(in_array(to, to_offset), in_array(from, from_offset), bytes, NULL, true);
}

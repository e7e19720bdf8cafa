/* Between the runtime's channel descriptions and the driver's formats.
 */
#ifndef GMT_SIMULATOR_RUNTIME_CHANNEL_FORMAT_H
#define GMT_SIMULATOR_RUNTIME_CHANNEL_FORMAT_H

#include "simulator/runtime/runtime.h"

/* cudaErrorInvalidChannelDescriptor for a description without a format. */
cudaError_t gmt_rt_format_of(const struct cudaChannelFormatDesc *channels, CUarray_format *format_out,
                             unsigned int *count_out);
struct cudaChannelFormatDesc gmt_rt_channels_of(CUarray_format format, unsigned int count);

/* Bytes of an element; a compressed block is one. 0 for an unknown format. */
size_t gmt_rt_element_bytes(CUarray_format format, unsigned int count);

#endif

"""Numba: driver calls through ctypes or cuda-python."""
import numpy

if not hasattr(numpy, "row_stack"):  # removed in NumPy 2.5, still named by some releases of Numba
    numpy.row_stack = numpy.vstack
from numba import cuda


@cuda.jit
def add_one(values):
    i = cuda.grid(1)
    if i < values.size:
        values[i] += 1


values = cuda.to_device(numpy.zeros(1 << 20, dtype=numpy.float32))
add_one[4096, 256](values)
print("sum", float(values.copy_to_host().sum()))
print("EXPECT site_bytes=4194304")

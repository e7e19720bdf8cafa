"""CuPy: a pool of its own over cudaMalloc."""
import cupy

a = cupy.arange(1 << 20, dtype=cupy.float32)
print("sum", float((a * 2).sum()))
print(f"EXPECT pool_total={cupy.get_default_memory_pool().total_bytes()}")

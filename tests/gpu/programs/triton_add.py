"""Triton: a kernel compiled at run time by helper processes."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    tl.store(out + offsets, tl.load(x + offsets, mask=mask) + tl.load(y + offsets, mask=mask), mask=mask)


count = 1 << 20
x, y = torch.ones(count, device="cuda"), torch.ones(count, device="cuda")
out = torch.empty_like(x)
add_kernel[(count // 1024,)](x, y, out, count, BLOCK=1024)
print("sum", float(out.sum()))
print(f"EXPECT caching_reserved={torch.cuda.memory_stats()['reserved_bytes.all.current']}")

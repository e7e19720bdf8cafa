"""A small training run. Prints the loss and what PyTorch's own allocator says it took from CUDA."""
import ctypes
import os

import torch

# A preload that compares unwinders begins here: at the training, not at the start.
getattr(ctypes.CDLL(None), "compare_begin", lambda: None)()
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(512, 2048), torch.nn.ReLU(), torch.nn.Linear(2048, 10)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data, target = torch.randn(256, 512, device="cuda"), torch.randint(0, 10, (256,), device="cuda")
for _ in range(20):
    optimizer.zero_grad(set_to_none=True)
    loss = torch.nn.functional.cross_entropy(model(data), target)
    loss.backward()
    optimizer.step()
torch.cuda.synchronize()
print(f"loss {loss.item():.3f} backend {torch.cuda.get_allocator_backend()}")
stats = torch.cuda.memory_stats()
if torch.cuda.get_allocator_backend() == "native":
    if "expandable" in os.environ.get("PYTORCH_CUDA_ALLOC_CONF", ""):
        print(f"EXPECT physical_reserved={stats['reserved_bytes.all.current']}")
    else:
        print(f"EXPECT caching_reserved={stats['reserved_bytes.all.current']}")
else:
    # The driver's pool sees each request as the program made it. The interpreter's end must not free tensors after this.
    for tensor in (data, target, loss):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(tensor))
    print(f"EXPECT async_live={stats['allocated_bytes.all.current']} peak_device_bytes_at_least={stats['allocated_bytes.all.peak']}")

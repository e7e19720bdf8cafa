"""An NCCL communicator over every device, one process each, made, used and destroyed. With "keep" it is not destroyed."""
import os
import socket
import sys

import torch
import torch.distributed as dist


def work(rank, size, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=size, device_id=torch.device("cuda", rank))
    data = torch.full((1 << 20,), rank + 1.0, device="cuda")
    dist.all_reduce(data)
    torch.cuda.synchronize()
    if rank == 0:
        print("sum", data[0].item(), "devices", size)
    if "keep" in sys.argv:
        sys.stdout.flush()
        os._exit(0)
    dist.destroy_process_group()


if __name__ == "__main__":
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        chosen = free.getsockname()[1]
    devices = torch.cuda.device_count()
    if devices == 1:
        work(0, 1, chosen)
    else:
        torch.multiprocessing.spawn(work, (devices, chosen), devices)
    print("EXPECT nccl_took_some=1")

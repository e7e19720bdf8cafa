"""ulimit -f kills who lengthens a file past it, ulimit -v refuses large reservations: the tracer looks first."""
import resource

from traced import SANITIZE, equal, fixture, held, same, skip

if SANITIZE:
    skip("sanitizers reserve more address space than any limit")


def limit(which, value):
    return lambda: resource.setrlimit(which, (value, value))


for file_bytes in (0, 8192, 1 << 20, 16 << 20):
    outcome = same(fixture("allocates"), setup=limit(resource.RLIMIT_FSIZE, file_bytes), timeout=10)
    equal((outcome.status, outcome.out), (0, "done\n"), f"ulimit -f {file_bytes}")
    if file_bytes >= 16 << 20:
        equal(held(outcome.trace), (3000, 1), f"ulimit -f {file_bytes}: left")
for memory in (64 << 20, 256 << 20, 2 << 30):
    outcome = same(fixture("allocates"), setup=limit(resource.RLIMIT_AS, memory), timeout=10)
    equal((outcome.status, outcome.out), (0, "done\n"), f"ulimit -v {memory}")
    if memory >= 256 << 20:
        equal(held(outcome.trace), (3000, 1), f"ulimit -v {memory}: left")

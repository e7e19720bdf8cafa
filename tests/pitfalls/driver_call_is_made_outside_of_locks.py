"""A driver may block in an allocation until another thread's arrives: the tracer may hold no lock over the real call."""
import os

from traced import SIMULATOR, equal, fixture, folder_of_driver, held, same, skip

outcome = same(fixture("two_threads_allocate"), driver=folder_of_driver("driver_that_waits"), timeout=10)
equal(outcome.out, "both returned\n", "output")
equal(held(outcome.trace), (3000, 2), "left")

if not os.path.exists(os.path.join(SIMULATOR, "libcuda.so.1")):
    skip("physical memory, which the simulated device has")
for script in ("block cuMemCreate 1 until cuMemCreate 2", "delay cuMemCreate every 1 50"):
    outcome = same(fixture("creates_twice"), driver=SIMULATOR, env={"GPUMEMTRACE_SIMULATE_SCRIPT": script}, timeout=8)
    equal(outcome.out, "both returned\n", script)
    equal(held(outcome.trace), (4194304, 2), f"{script}: left")

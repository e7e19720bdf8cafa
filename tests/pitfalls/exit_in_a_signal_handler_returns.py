"""A handler that calls exit may have interrupted the tracer while its lock is held: waits are bounded and know the owner."""
import time

from traced import LONG, check, equal, fixture, run

RUNS = 1000 if LONG else 200
started = time.monotonic()
slowest = 0
for i in range(RUNS):
    outcome = run([fixture("exits_in_handler"), str(500 + 37 * i % 3000)], timeout=10, options="render=none" if i % 4 else "render=command:command=/bin/true")
    equal(outcome.status, 5, f"run {i}: status (stderr {outcome.err!r})")
    slowest = max(slowest, outcome.seconds)
print(f"{RUNS} runs in {time.monotonic() - started:.1f} s, the slowest {slowest:.2f} s")
check(slowest < 5, f"one run took {slowest:.1f} s")

"""Libraries free their device memory when they are unloaded at exit: a report taken before that calls it a leak."""
from traced import TSAN, equal, fixture, held, run, skip

if TSAN:
    skip("TSan runs exit handlers in an order of its own")

outcome = run(fixture("frees_late"), options="leak_check=1:keep=1:command=/nonexistent")
equal((outcome.status, outcome.out), (0, "main is over\n"), f"output and gate ({outcome.tool!r})")
equal((held(outcome.trace), outcome.trace["taken"]), ((0, 0), 4), "blocks of the pool")

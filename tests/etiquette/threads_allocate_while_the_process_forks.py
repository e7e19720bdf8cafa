"""A fork child has one thread and may inherit any lock as taken: it must neither hang nor touch the parent's trace."""
from traced import LONG, SANITIZE, equal, fixture, held, run

FORKS = 10000 if LONG else 100 if SANITIZE else 1000
outcome = run([fixture("forks_under_load"), str(FORKS)], timeout=110)
equal((outcome.status, outcome.out, outcome.err), (0, f"{FORKS} of {FORKS} children\n", ""), "output")
children = [trace for trace in outcome.traces if trace["live_bytes"]]
equal(len(outcome.traces), FORKS // 10 + 1, "traces")
equal([held(trace) for trace in children], [(111, 1)] * (FORKS // 10), "left in the children that took memory")
for trace in outcome.traces:
    equal(trace["troubles"], {}, "troubles")

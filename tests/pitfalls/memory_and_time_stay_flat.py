"""A tracer that keeps something per event grows for ever: a million pairs of calls must leave memory, time
and the size of the trace file alone."""
import os
import re
import tempfile

from traced import LONG, SANITIZE, equal, fixture, held, run

PAIRS = 10_000_000 if LONG else 100_000 if SANITIZE else 1_000_000
with tempfile.TemporaryDirectory() as folder:
    outcome = run([fixture("churn"), "1", str(PAIRS)], timeout=300, folder=folder)
    kept = sum(os.stat(os.path.join(folder, name)).st_blocks * 512 for name in os.listdir(folder))
first, rest, early, late = map(float, re.match(r"first (\S+) rest (\S+) ns, resident (\S+) (\S+) KiB", outcome.out).groups())
print(outcome.out)
assert SANITIZE or late - early <= 256, f"resident memory went from {early} to {late} KiB"
assert rest <= 3 * first + 500, f"a pair went from {first} to {rest} ns"
assert kept < 8 << 20, f"the trace takes {kept} bytes"
equal((held(outcome.trace), outcome.trace["taken"]), ((0, 0), PAIRS), "blocks")

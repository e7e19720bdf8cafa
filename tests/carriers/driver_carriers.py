"""Each snippet through each carrier of the driver's functions, on the tests' own driver: what is seen, and how much."""
from carriers import command, judge_trace, needs_runtime, rows
from traced import SANITIZE, same

ran = 0
for carrier, snippet in rows():
    if needs_runtime(carrier):
        continue
    what = f"{carrier['name']}, {snippet}"
    outcome = same(command(carrier, snippet), timeout=20)
    assert outcome.out == f"{snippet} done\n", f"{what}: {outcome.out!r}"
    judge_trace(outcome.traces, carrier, snippet, what)
    ran += 1
assert ran == (80 if SANITIZE else 96), ran

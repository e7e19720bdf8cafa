"""The loader's lock is held in constructors that allocate, while other threads unwind and record: no order may block."""
from traced import equal, fixture, held, no_trouble, same

outcome = same(fixture("loads_while_allocating"), timeout=60)
equal(outcome.out, "done\n", "output")
equal(held(outcome.trace), (0, 0), "left")
assert outcome.trace["taken"] >= 600, outcome.trace["taken"]
no_trouble(outcome.trace)

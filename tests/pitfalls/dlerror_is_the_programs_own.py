"""A look-up of the tracer's that misses would leave its text in the program's dlerror()."""
from traced import fixture, same

outcome = same(fixture("reads_dlerror"))
assert "after calls: nothing\n" in outcome.out and "undefined symbol: no_such_symbol_at_all" in outcome.out, outcome.out

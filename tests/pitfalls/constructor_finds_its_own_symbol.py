"""A library whose constructor looks up its own symbol, as CPU runtimes do, must neither spin nor see other answers."""
import os

from traced import TSAN, fixture, run, same

outcome = same(fixture("loads_own_symbol"), timeout=10)
assert outcome.out.startswith("next none, default "), outcome.out
assert outcome.traces == [], "a process without CUDA must leave no file"
if os.path.exists(fixture("openmp_sum")) and not TSAN:  # to which libgomp's own locks are races
    assert same(fixture("openmp_sum"), timeout=10).out == "500500\n"
    assert run(fixture("openmp_sum"), timeout=10).tool == ""

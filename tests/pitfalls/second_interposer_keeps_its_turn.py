"""Another preload of the same functions must see each call, whichever comes first, and so must the tracer."""
import os
import shutil
import tempfile

from traced import LIBRARY, equal, fixture, held, run

other = fixture("interposer.so")
native = run(fixture("allocates"), traced=False, before=[other])
equal(native.out, "done\nthe interposer saw 2\n", "without the tracer")
for position in ("before", "after"):
    traced = run(fixture("allocates"), **{position: [other]})
    equal((traced.status, traced.out, traced.err), (native.status, native.out, native.err), f"interposer {position}")
    equal(held(traced.trace), (3000, 1), f"interposer {position}: left")
    equal(traced.trace["taken"], 2, f"interposer {position}: blocks recorded once")

# The same through a search of the default scope.
looks_up = [fixture("carrier_looks_up", "carriers"), "default", "leak"]
native = run(looks_up, traced=False, before=[other])
equal(native.out, "leak done\nthe interposer saw 2\n", "without the tracer, default scope")
for position in ("before", "after"):
    traced = run(looks_up, **{position: [other]})
    equal((traced.status, traced.out, traced.err), (native.status, native.out, native.err), f"default scope, {position}")
    equal((held(traced.trace), traced.trace["taken"]), ((1000, 1), 2), f"default scope, interposer {position}: left")

# The tracer itself as the second interposer: both start, both record, none recurses.
with tempfile.TemporaryDirectory() as folder:
    twin = shutil.copy(LIBRARY, os.path.join(folder, "twin.so"))
    twice = run(fixture("allocates"), after=[twin], timeout=10)
    equal((twice.status, twice.out, twice.err), (0, "done\n", ""), "two tracers")
    equal([held(trace) for trace in twice.traces], [(3000, 1), (3000, 1)], "two tracers: left")

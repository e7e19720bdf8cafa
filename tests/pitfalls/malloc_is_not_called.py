"""A hook must not call malloc, nor make libc call it: allocators call the driver, and debuggers trap in them."""
from traced import SANITIZE, equal, fixture, held, run, same, skip

if SANITIZE:
    skip("a sanitizer is the allocator of this build")
watch = fixture("malloc_watch.so")
native = run(fixture("counts_mallocs"), traced=False, before=[watch])
for position in ("before", "after"):
    traced = run(fixture("counts_mallocs"), **{position: [watch]})
    equal((traced.status, traced.out, traced.err), (native.status, native.out, native.err), f"malloc watched, {position}")
    assert traced.trace["calls"]["cuMemAlloc_v2"] == 101, traced.trace["calls"]

# The other way round: malloc calls the driver, the first time in the process, under its own lock.
outcome = same(fixture("mallocs"), timeout=10)
equal(outcome.out, "done\n", "malloc that uses the driver")
equal((held(outcome.trace), outcome.trace["taken"]), ((0, 0), 50), "blocks of malloc")

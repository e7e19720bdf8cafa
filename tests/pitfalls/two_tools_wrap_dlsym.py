"""A second preload that exports dlsym, in front of the tracer or behind it: each must find the real one, or both recurse.
What such a tool hands out in front of the tracer never comes through the tracer's door, nor does the default scope as it
looks to it; what is linked still does."""
from traced import SANITIZE, equal, fixture, folder_of_driver, held, no_trouble, run, same, skip

if SANITIZE:
    skip("a sanitizer looks its functions up through such a tool before either is ready")

other = fixture("dlsym_wrapper.so")
looks_up = [fixture("carrier_looks_up", "carriers"), "dlsym", "leak"]
for position in ("before", "after"):
    linked = same(fixture("allocates"), timeout=10, **{position: [other]})
    equal((held(linked.trace), linked.trace["taken"]), ((3000, 1), 2), f"{position}: left, linked")
    no_trouble(linked.trace)
    asked = same(looks_up, timeout=10, **{position: [other]})
    equal(asked.out, "leak done\n", f"{position}: output, looked up")
    names = run(fixture("wants_all_names"), driver=[fixture("names"), folder_of_driver()], timeout=10, **{position: [other]})
    equal((names.status, names.out.count("handle missing")), (0, 4), f"{position}: names that the driver lacks")
    if position == "after":
        equal((held(asked.trace), asked.trace["taken"]), ((1000, 1), 2), f"{position}: left, looked up")
        equal(names.out.count("default missing"), 4, f"{position}: names that nobody has")
    equal(same(fixture("uses_cudnn"), timeout=10, **{position: [other]}).out, "0 0 0 handle\n", f"{position}: another library")

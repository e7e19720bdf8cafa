"""A deep-bound plug-in takes and gives back memory unseen. What it took is freed by the driver all the same when the program
gives it back, the tracer not knowing it; what it gave back is dropped when its address is handed out again."""
from traced import SANITIZE, equal, fixture, held, same, skip

if SANITIZE:
    skip("sanitizers refuse RTLD_DEEPBIND")


def failures(trace):
    return [(failure["kind"], failure["code"], failure["count"]) for failure in trace["failures"]]


theirs = same([fixture("mixes_ways"), "theirs"], timeout=10)
equal(theirs.out, "0 0 1\n", "freed through the hooks, and once more")
equal((held(theirs.trace), theirs.trace["taken"]), ((0, 0), 0), "theirs: left")
equal(failures(theirs.trace), [("stray", 0, 1), ("stray", 1, 1)], "theirs: frees of what is not known")
ours = same([fixture("mixes_ways"), "ours"], timeout=10)
equal(ours.out, "0 0 0 the same place\n", "freed past the hooks, and taken again")
equal((held(ours.trace), ours.trace["taken"], ours.trace["troubles"]), ((500, 1), 2, {"ADDRESS_REUSED": 1}), "ours: left")
both = same([fixture("mixes_ways"), "both"], timeout=10)
equal(both.out, "0 0 0 the same place\n0\n", "and freed again")
equal((held(both.trace), failures(both.trace)), ((0, 0), []), "both: left")

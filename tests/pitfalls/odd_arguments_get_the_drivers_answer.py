"""No argument checks of the tracer's own: each followed function is called with null and with zeroed memory in every place,
on the simulated device directly and through the hooks, and answers alike. Null is fine for one free and an error for the
next: that is the driver's business."""
import collections
import os
import tempfile

from traced import SANITIZE, SIMULATOR, equal, fixture, same, skip

if not os.path.exists(fixture("calls_every_row")):
    skip("the simulated device is not built")
if SANITIZE:
    skip("a sanitizer ends the calls that would die of a signal in its own way")
MEMORY = "/dev/shm"  # each call leaves a trace, which a disk takes its time for
for how in ("null", "zeros"):
    with tempfile.TemporaryDirectory(dir=MEMORY if os.path.isdir(MEMORY) else None) as folder:
        outcome = same([fixture("calls_every_row"), how], driver=SIMULATOR, timeout=100, folder=folder)
    answers = dict(line.split(": ") for line in outcome.out.splitlines())
    kinds = collections.Counter(answers.values())
    print(how, dict(kinds))
    equal(len(answers), outcome.out.count("\n"), f"{how}: functions")
    if how == "null":
        equal((answers["cuMemFree_v2"], answers["cuMemFreeHost"]), ("code 0", "code 0"), "frees of null")
    equal(answers["cuMemAlloc_v2"], "code 1" if how == "null" else "code 2", f"{how}: an allocation")

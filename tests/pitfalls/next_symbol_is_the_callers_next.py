"""dlsym(RTLD_NEXT) goes by its return address: the forward must be a jump, or a wrapper finds itself or the wrong one. A C
compiler makes it one or not, by its options: the door is tried as an optimised, a plain and a coverage build compile it."""
import os
import tempfile

from traced import LIBRARY, SANITIZE, equal, fixture, same, skip

left_out = []
with tempfile.TemporaryDirectory() as folder:
    for library in [LIBRARY] + ([] if SANITIZE else [fixture(f"libgpumemtrace_door_{how}.so") for how in ("O0", "coverage")]):
        if not os.path.exists(library):
            left_out.append(os.path.basename(library))
            continue
        settings = {"traced": library, "timeout": 10, "env": {"GCOV_PREFIX": folder}}  # where a coverage build leaves its counts
        equal(same(fixture("calls_foo"), **settings).out, "11 11 11\n", f"foo through its wrapper, {library}")
        equal(same(fixture("loads_own_symbol"), **settings).traces, [], f"a library that looks for itself, {library}")
    counts = [name for _, _, names in os.walk(folder) for name in names if name.startswith("dlsym_door")]
    equal(len(counts), 0 if SANITIZE or any("coverage" in name for name in left_out) else 1, "files with the door's counts")
if left_out:
    skip("the compiler cannot build " + ", ".join(left_out))

"""A library's constructor may run before the tracer's and let several threads make the first calls: none of them may
meet settings that are half read."""
import tempfile

from traced import equal, fixture, held, run

# Many variables make the start slow: the tracer copies the environment. The folder is known from the option alone.
MANY = {"GPUMEMTRACE_DIR": "", **{f"VARIABLE_{i}": "x" * 50 for i in range(20000)}}
for _ in range(10):
    with tempfile.TemporaryDirectory() as folder:
        outcome = run(fixture("threads_begin"), options=f"render=none:dir={folder}:depth=2", folder=folder, timeout=20, env=MANY)
        equal((outcome.status, outcome.out, outcome.err), (0, "", ""), "the program")
        equal(held(outcome.trace), (1600, 160), "left")
        equal({len(site["stack"]) for site in outcome.trace["sites"]}, {2}, "depth of stacks")

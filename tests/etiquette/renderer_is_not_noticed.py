"""The report is written by a child process: wait(), SIGCHLD handlers and ignored SIGCHLD must not see it, at errors in
the middle and at exit, and its status must come through all the same."""
import os
import tempfile

from traced import COMMAND, equal, fixture, run, skip

if not os.path.exists(COMMAND):
    skip("the command that renders is not built")
for how in ("handler", "ignored", "nocldwait", "thread", "blocked"):
    native = run([fixture("waits"), how], traced=False, timeout=10)
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report")
        traced = run([fixture("waits"), how], options=f"output={report}:leak_check=1:error_exitcode=42", timeout=30)
        equal(traced.out, native.out, f"{how}: standard output")
        equal(traced.status, 42, f"{how}: the gate's status ({traced.tool!r} {traced.err!r})")
        with open(report, encoding="utf-8") as text:
            assert "cuMemAlloc" in text.read(), f"{how}: the report"
    assert "OUT OF MEMORY" in traced.tool, f"{how}: {traced.tool!r}"
    equal(run([fixture("waits"), how], options="output=/dev/null", timeout=30).status, 0, f"{how}: status without the gate")

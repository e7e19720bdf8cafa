"""Ending with the gate's exit code from an exit handler would lose what stdio still holds."""
from traced import equal, fixture, run

native = run(fixture("prints_and_leaks"), traced=False)
equal((native.status, native.out.count("\n")), (0, 2000), "without the tracer")
for command in ("", ":command=/nonexistent"):
    gated = run(fixture("prints_and_leaks"), options="leak_check=1" + command)
    equal(gated.out, native.out, "standard output with the gate")
    equal(gated.status, 23, f"status with the gate (stderr {gated.tool!r}{gated.err!r})")
    equal(run(fixture("prints_and_leaks"), options="leak_check=1:error_exitcode=99" + command).status, 99, "chosen status")

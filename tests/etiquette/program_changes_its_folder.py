"""Relative paths in the settings count from the folder that the program was started in, wherever it goes."""
import os
import tempfile

from traced import COMMAND, equal, fixture, run

for when in ("before", "after"):
    with tempfile.TemporaryDirectory(prefix="gmt 100%p ") as start, tempfile.TemporaryDirectory() as elsewhere:
        program = [fixture("changes_folder"), elsewhere, when]
        for settings in ({"options": "render=none:dir=traces"}, {"env": {"GPUMEMTRACE_DIR": "traces"}}):
            equal(run(program, cwd=start, timeout=20, **settings).status, 0, f"{when}: status")
            traces = os.path.join(start, "traces")
            equal([os.path.splitext(name)[1] for name in os.listdir(traces)], [".gmt"], f"{when}, {settings}: traces")
            os.unlink(os.path.join(traces, os.listdir(traces)[0]))
            os.rmdir(traces)
        if os.path.exists(COMMAND):
            outcome = run(program, cwd=start, options="output=report.%n", timeout=20)
            equal((outcome.status, outcome.tool, outcome.err), (0, "", ""), f"{when}: report")
            equal(os.listdir(start), ["report.changes_folder"], f"{when}: report")
        equal(os.listdir(elsewhere), [], f"{when}: files in the folder that the program went to")

"""The whole way: `gpumemtrace run --simulate --leak-check` with each carrier of a leak, its exit code and its report."""
import json
import os
import subprocess
import tempfile

from carriers import TABLE, command, is_built, judge_report, rows
from traced import COMMAND, SIMULATOR, equal, fixture, skip

for needed in (COMMAND, os.path.join(SIMULATOR, "libcuda.so.1"), os.path.join(SIMULATOR, "libcudart.so.13")):
    if not os.path.exists(needed):
        skip(f"{os.path.basename(needed)} is not built")
env = {key: value for key, value in os.environ.items() if not key.startswith(("GMT_", "GPUMEMTRACE", "LD_"))}
env["LD_LIBRARY_PATH"] = fixture("")
ran = 0
for carrier, snippet in rows():
    if snippet not in ("leak", "free") or not is_built(carrier) or "deep" in carrier["name"]:
        continue
    what = f"{carrier['name']}, {snippet}"
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        done = subprocess.run([COMMAND, "run", "--simulate", "8GiB", "--leak-check", "-f", f"json:{report}", "--"] +
                              command(carrier, snippet), env={**env, "GPUMEMTRACE_DIR": folder}, capture_output=True, text=True,
                              check=False, timeout=60)
        if carrier["name"].startswith("static runtime, main"):  # a real static runtime cannot run on a simulated driver
            equal(done.returncode, 125, f"{what}: exit code")
            assert "relink with -cudart shared" in done.stderr, done.stderr
        if carrier["name"].startswith("static"):
            continue
        equal(done.returncode, TABLE["snippets"][snippet]["status"], f"{what}: exit code ({done.stderr!r})")
        with open(report, encoding="utf-8") as text:
            process, = json.load(text)["processes"]
        judge_report(process, carrier, snippet, what)
        ran += 1
assert ran >= 20, ran

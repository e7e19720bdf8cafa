"""Each snippet through each carrier on the simulated device: traces, and reports under the names the program used."""
import json
import os
import tempfile

from carriers import command, is_built, judge_report, judge_trace, rows
from traced import COMMAND, SANITIZE, SIMULATOR, TSAN, fixture, same, skip

if not os.path.exists(os.path.join(SIMULATOR, "libcuda.so.1")):
    skip("the simulated device is not built")
ran, left_out = 0, set()
for carrier, snippet in rows():
    what = f"{carrier['name']}, {snippet}"
    if not is_built(carrier):
        left_out.add(carrier["name"])
        continue
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        outcome = same(command(carrier, snippet), driver=[SIMULATOR, fixture("")], timeout=30,
                       options=f"keep=1:format=json:output={report}:oom_reports=0")
        judge_trace(outcome.traces, carrier, snippet, what)
        if carrier["seen"] and os.path.exists(COMMAND):
            with open(report, encoding="utf-8") as text:
                process, = json.load(text)["processes"]
            assert process["simulated"] is True, f"{what}: a simulated device must never pass for a GPU"
            judge_report(process, carrier, snippet, what)
    ran += 1
if left_out:
    skip(f"{ran} runs were right, but without the simulated runtime these carriers cannot run: {', '.join(sorted(left_out))}")
assert ran == (145 if TSAN else 157 if SANITIZE else 179), ran

"""A program that asks for memory in a loop gets neither a line for each failure nor a section for each in its report."""
import os

from traced import COMMAND, equal, fixture, run

outcome = run(fixture("asks_in_a_loop"), options="render=none:oom_reports=0")
lines = [line for line in outcome.tool.splitlines() if "OUT OF MEMORY" in line]
equal((outcome.status, len(lines)), (0, 18), f"status and lines ({outcome.tool})")
assert lines[0].startswith("gpumemtrace: OUT OF MEMORY: cuMemAlloc_v2 asked for 100.0 GiB on device 0"), lines[0]
assert "such lines" not in lines[15], lines[15]
assert lines[16].endswith("; 32 such lines would stand here") and "; 64 such" in lines[17], lines[16:]

if os.path.exists(COMMAND):
    outcome = run(fixture("asks_in_a_loop"), options="oom_reports=0")
    equal(outcome.err.count("Out of memory "), 10, f"sections ({outcome.err})")
    assert "\nand 90 more, the last 0." in outcome.err, outcome.err

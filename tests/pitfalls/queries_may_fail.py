"""After an allocation succeeded nothing may change its result: each of the driver's functions that the tracer asks on the
side fails, or is missing, and the program gets what it gets without the tracer."""
import os
import re

from traced import SIMULATOR, SOURCE, check, equal, fixture, held, same, skip

if not os.path.exists(os.path.join(SIMULATOR, "libcuda.so.1")):
    skip("the simulated device is not built")
with open(os.path.join(SOURCE, "src", "hook", "queries.def"), encoding="utf-8") as table:
    queries = re.findall(r"^GMT_QUERY\((\w+),", table.read(), re.MULTILINE)
check(len(queries) >= 7, f"queries.def: {queries}")
everything = ";".join(f"fail {name} every 1 999" for name in queries)
for what, script in [(name, f"fail {name} every 1 999") for name in queries] + [("all of them", everything)]:
    for program, left in (("allocates", (3000, 1)), ("asks_in_a_loop", (0, 0))):
        outcome = same(fixture(program), driver=SIMULATOR, env={"GPUMEMTRACE_SIMULATE_SCRIPT": script}, timeout=20)
        equal(outcome.status, 0, f"{program} without {what}: status ({outcome.out})")
        if program == "allocates":
            equal((held(outcome.trace), outcome.trace["taken"]), (left, 2), f"{program} without {what}: left")

"""A DT_RPATH finds the program's own driver and runtime whatever LD_LIBRARY_PATH says: the plain preload follows those, and
the simulated device takes their place all the same, because it is preloaded under their names."""
import json
import os
import subprocess
import tempfile

from traced import COMMAND, SANITIZE, SIMULATOR, equal, fixture, folder_of_driver, held, no_trouble, same, skip

# program: its runtime, bytes and blocks that it leaks
PROGRAMS = {"path_to_driver": ("none", (3000, 1)), "path_to_runtime": ("libcudart.so.13", (6000, 2))}
for program, (runtime, left) in PROGRAMS.items():
    dynamic = subprocess.run(["readelf", "-d", fixture(program)], capture_output=True, text=True, check=True).stdout
    assert "(RPATH)" in dynamic and "(RUNPATH)" not in dynamic, dynamic
    # The only driver that LD_LIBRARY_PATH leads to has none of the functions.
    outcome = same(fixture(program), driver=[fixture("names"), SIMULATOR], timeout=10)
    answers = dict(line.split(": ") for line in outcome.out.splitlines())
    equal((answers["device"], os.path.basename(answers["runtime"])), ("Fake device", runtime), f"{program}: libraries")
    assert not answers["runtime"].startswith(SIMULATOR), answers
    equal((held(outcome.trace), outcome.trace["taken"]), (left, left[1]), f"{program}: left")
    no_trouble(outcome.trace)

needed = [COMMAND] + [os.path.join(SIMULATOR, name) for name in ("libcuda.so.1", "libcudart.so.13")]
missing = [os.path.basename(path) for path in needed if not os.path.exists(path)]
if missing or SANITIZE:
    skip("run --simulate: " + ("a sanitizer's runtime must come first" if SANITIZE else ", ".join(missing) + " not built"))
for program, (runtime, left) in PROGRAMS.items():
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        done = subprocess.run([COMMAND, "run", "--simulate", "8GiB", "-f", f"json:{report}", "--", fixture(program)],
                              env={"PATH": os.environ["PATH"], "GPUMEMTRACE_DIR": folder, "LD_LIBRARY_PATH": folder_of_driver()},
                              capture_output=True, text=True, check=False, timeout=60)
        equal(done.returncode, 0, f"{program}, simulated: status ({done.stderr})")
        answers = dict(line.split(": ") for line in done.stdout.splitlines())
        equal(answers["device"], "Simulated NVIDIA GPU", f"{program}: device")
        equal(answers["runtime"], "none" if runtime == "none" else os.path.join(SIMULATOR, runtime), f"{program}: runtime")
        with open(report, encoding="utf-8") as text:
            process, = json.load(text)["processes"]
        equal(process["simulated"], True, f"{program}: simulated")
        equal((sum(leak["bytes"] for leak in process["leaks"]), sum(leak["count"] for leak in process["leaks"])), left,
              f"{program}: leaks in the report")

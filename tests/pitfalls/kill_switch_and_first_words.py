"""off=1 makes every hook a bare jump, and verbose=1 says a word before the first look-up: the two ways to tell whether
the tracer is why a program hangs."""
import os
import shutil
import tempfile

from traced import equal, fixture, folder_of_driver, held, run, same

for program in ("allocates", "uses_runtime", "wraps_libc", "reads_dlerror", "loads_plugin", "threads_begin"):
    off = same(fixture(program), options="off=1", timeout=10)
    equal((off.traces, off.tool), ([], ""), f"{program}: traces and words with off=1")
for how in ("none", "global", "local"):
    same([fixture("asks_default_scope"), how], options="off=1", timeout=10)
same(fixture("calls_variants"), driver=fixture("coded"), options="off=1", timeout=10)

first = run(fixture("loads_own_symbol"), options="verbose=1:render=none")
equal(first.tool, "gpumemtrace: the tracer is loaded\n", "words of a process without CUDA")
unknown = run(fixture("loads_own_symbol"), options="a\nb\033[31m=1")
equal(unknown.tool + unknown.err, 'gpumemtrace: GPUMEMTRACE_OPTIONS: "a?b?[31m" is not an option and was ignored; the nearest is '
      "off\n", "a setting that would steer the terminal")
assert "gpumemtrace: the tracer is loaded\n" in run(fixture("allocates"), options="verbose=1:off=1").tool

# A runtime in a private folder, under its own soname.
with tempfile.TemporaryDirectory() as folder:
    shutil.copy(fixture("libcudart.so.13"), folder)
    outcome = same(fixture("uses_runtime"), driver=[folder, folder_of_driver()])
    equal(held(outcome.trace), (3000, 1), "left")
    assert any(client["module"] == os.path.join(folder, "libcudart.so.13") for client in outcome.trace["clients"])

"""ASan and TSan intercept string functions and call dlsym before they are ready: the dlsym door may call nothing, and a
sanitizer must not mistake the tracer's own memory for the program's races."""
import os
import shutil
import subprocess
import tempfile

from traced import SANITIZE, SOURCE, equal, folder_of_driver, held, run, skip

if SANITIZE:
    skip("the tracer of this build has a sanitizer of its own")
CUDA = os.environ["GMT_CUDA_INCLUDE"]
PROGRAM = os.path.join(SOURCE, "tests", "pitfalls", "programs", "early_dlsym.c")


def build(compiler, sanitizer, folder):
    target = os.path.join(folder, f"{compiler}_{sanitizer}")
    done = subprocess.run(
        [compiler, "-D_GNU_SOURCE", f"-fsanitize={sanitizer}", "-g", "-O1", PROGRAM, "-o", target, "-pthread", "-isystem", CUDA,
         "-I", os.path.join(SOURCE, "tests", "support"), os.path.join(folder_of_driver(), "libcuda.so.1")],
        capture_output=True, check=False)
    return target if done.returncode == 0 else None


def first_needed(program):
    """The shared sanitizer runtime of a gcc build, which must come before every preload; clang's is linked in."""
    needed = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    return [line.split("=>")[1].split()[0] for line in needed.splitlines() if "libasan" in line or "libtsan" in line]


ran = 0
with tempfile.TemporaryDirectory() as temporary:
    for compiler in ("gcc", "clang"):
        for sanitizer in ("address", "thread"):
            program = shutil.which(compiler) and build(compiler, sanitizer, temporary)
            if not program:
                print("skipped:", compiler, "cannot build with", sanitizer)
                continue
            settings = {"before": first_needed(program), "env": {"ASAN_OPTIONS": "detect_leaks=1"}, "timeout": 30}
            native = run(program, traced=False, **settings)
            equal((native.status, native.out, native.err), (0, "4 heap\n", ""), f"{compiler} {sanitizer}, alone")
            traced = run(program, **settings)
            equal((traced.status, traced.out, traced.err), (0, "4 heap\n", ""), f"{compiler} {sanitizer}, traced")
            equal(held(traced.trace), (3000, 2), f"{compiler} {sanitizer}: left")
            ran += 1
if ran == 0:
    skip("no compiler with sanitizers is here")

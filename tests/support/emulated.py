"""Programs for aarch64, cross-built below the build folder and run under qemu's user emulation."""
import os
import shutil

import traced

COMPILER = "aarch64-linux-gnu-gcc"
ROOT = "/usr/aarch64-linux-gnu"
QEMU = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
BUILD = os.path.join(traced.BUILD, "aarch64")
LIBRARY = os.path.join(BUILD, "lib", "libgpumemtrace.so")
SIMULATOR = os.path.join(BUILD, "lib", "simulator")

for what, there in ((COMPILER, shutil.which(COMPILER)), ("libc for aarch64", os.path.exists(ROOT + "/include/stdlib.h")),
                    ("qemu-aarch64-static", QEMU)):
    if not there:
        traced.skip(f"{what} is not installed")


def program(name):
    """One of the programs of tests/aarch64/CMakeLists.txt."""
    return os.path.join(BUILD, "tests", name)


def run(argv, trace=True, env=None, driver=SIMULATOR, page_bytes=4096, **settings):
    """As traced.run, with the tracer for aarch64 on the simulated device. No run may take longer than a minute."""
    argv = [argv] if isinstance(argv, str) else list(argv)
    return traced.run([QEMU, "-L", ROOT, "-p", str(page_bytes), *argv], traced=LIBRARY if trace else False, driver=[driver, program("")],
                      env={"GPUMEMTRACE_SIMULATE": "8GiB", **(env or {})}, **{"timeout": 60, **settings})

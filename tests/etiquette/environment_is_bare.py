"""Preloaded by hand into a process with no other variable: every setting has a default, and none needs the command's help."""
import glob
import os
import subprocess

from traced import COMMAND, LIBRARY, SANITIZE, equal, fixture, folder_of_driver, skip

if SANITIZE:
    skip("a sanitizer must be told to start behind a preload")
PLACES = [f"/dev/shm/gpumemtrace-{os.getuid()}", f"/tmp/gpumemtrace-{os.getuid()}", "."]


def files():
    return {path for place in PLACES for path in glob.glob(f"{place}/*.gmt*")}


before = files()
environment = {"LD_PRELOAD": LIBRARY, "LD_LIBRARY_PATH": folder_of_driver()}
with subprocess.Popen([fixture("allocates", "pitfalls")], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE, text=True) as process:
    out, err = process.communicate(timeout=30)
equal((process.returncode, out), (0, "done\n"), f"status and output ({err})")
assert "LEAK" in err and "2.93 KiB in 1 block" in err, err
if os.path.exists(COMMAND):
    assert "allocates.c:" in err, err
equal([path for path in files() - before if f".{process.pid}." in path], [], "files left")

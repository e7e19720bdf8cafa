"""A trace names code by module, build and offset, taken while it ran: the program may be deleted, stripped or started by the
loader, and a report has its name and a place in it all the same."""
import glob
import os
import re
import shutil
import subprocess
import tempfile

from traced import COMMAND, SANITIZE, equal, fixture, run, skip

if not os.path.exists(COMMAND) or SANITIZE:
    skip("the command is not built, or has a sanitizer")


def report(folder):
    path, = glob.glob(os.path.join(folder, "*.gmt"))
    done = subprocess.run([COMMAND, "report", path], capture_output=True, text=True, check=False, timeout=60)
    equal(done.returncode, 0, f"report ({done.stderr})")
    return done.stdout


loader = next((path for path in ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1") if os.path.exists(path)), None)
strip = shutil.which("strip")
offsets = set()
with tempfile.TemporaryDirectory() as place:
    program = shutil.copy(fixture("allocates", "pitfalls"), os.path.join(place, "shop"))
    for how in ("whole", "deleted", "stripped", "by the loader"):
        if how == "stripped" and not strip or how == "by the loader" and not loader:
            print("skipped:", how)
            continue
        shutil.copy(fixture("allocates", "pitfalls"), program)
        if how == "stripped":
            subprocess.run([strip, program], check=True)
        with tempfile.TemporaryDirectory() as folder:
            outcome = run([loader, program] if how == "by the loader" else program, folder=folder)
            equal(outcome.trace["executable"], program, f"{how}: program")
            if how == "deleted":
                os.unlink(program)
            text = report(folder)
        if how in ("whole", "by the loader"):
            assert re.search(r"main .*allocates\.c:8\b", text), f"{how}: {text}"
        else:
            assert "allocates.c" not in text, f"{how}: {text}"
            offsets.add(re.search(r"shop\+0x[0-9a-f]+", text).group(0))
equal(len(offsets), 1, f"the place of the one leak, deleted and stripped: {offsets}")

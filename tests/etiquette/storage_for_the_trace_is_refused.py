"""A trace folder that cannot be written, or a file system that is or becomes full: the program goes on, without a
SIGBUS, and without a word in its output."""
import os
import shutil
import subprocess
import tempfile

from traced import LIBRARY, equal, fixture, folder_of_driver, run

churn = [fixture("slowest_add", "pitfalls"), "60000"]
for where in ("/proc/no/such/folder", "/dev/null/folder", "/dev/full"):
    outcome = run(fixture("ends"), options="output=/dev/null", env={"GPUMEMTRACE_DIR": where}, timeout=20)
    equal((outcome.status, outcome.out, outcome.err), (0, "exit handler\n", ""), where)
    outcome = run(fixture("ends"), options=f"output=/dev/null:dir={where}", timeout=20)
    equal((outcome.status, outcome.out, outcome.err), (0, "exit handler\n", ""), f"dir={where}")

# A small tmpfs needs a mount namespace of its own.
SCRIPT = """mount -t tmpfs -o size={size} none {folder} || exit 99
export ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0
export LD_LIBRARY_PATH={driver} GPUMEMTRACE_DIR={folder} GPUMEMTRACE_OPTIONS=output=/dev/null:command=/nonexistent:keep=1
LD_PRELOAD={library} {program}
status=$?
ls {folder} | wc -l
exit $status
"""
unshare = shutil.which("unshare")
possible = unshare and subprocess.run([unshare, "-rm", "true"], capture_output=True, check=False).returncode == 0
if not possible:
    print("skipped: full file systems, because no mount namespace can be made here")
for size, files in (("4k", 0), ("64k", 0), ("1m", 1), ("3m", 1)) if possible else ():
    with tempfile.TemporaryDirectory() as folder:
        script = SCRIPT.format(size=size, folder=folder, driver=folder_of_driver(), library=LIBRARY, program=" ".join(churn))
        done = subprocess.run([unshare, "-rm", "sh", "-c", script], capture_output=True, text=True, check=False, timeout=60)
        if done.returncode == 99:
            print("skipped: no tmpfs can be mounted here")
            break
        equal(done.returncode, 0, f"tmpfs of {size}: status ({done.stderr})")
        assert done.stdout.startswith("slowest "), done.stdout
        print(size, done.stdout.splitlines()[-1], "files")

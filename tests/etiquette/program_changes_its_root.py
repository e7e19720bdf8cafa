"""A program that confines itself to another root loses sight of the trace's folder, of /proc and of the command that would
render: it goes on undisturbed, and what was traced until then, or since, can be read from outside."""
import shutil
import subprocess
import tempfile

from traced import SANITIZE, equal, fixture, held, run, skip

unshare = shutil.which("unshare")
if not unshare or subprocess.run([unshare, "-r", "true"], capture_output=True, check=False).returncode != 0:
    skip("no user namespace can be made here, and chroot needs rights")
if SANITIZE:
    skip("a sanitizer wants /proc")
for options in ("render=none", "keep=1", "keep=1:leak_check=1"):
    gated = 23 if "leak_check" in options else 0
    with tempfile.TemporaryDirectory() as root:
        program = [unshare, "-r", fixture("changes_root"), root]
        after = run(program + ["after"], options=options, timeout=20)
        equal((after.status, after.out), (gated, "done\n"), f"after, {options}: end ({after.tool}{after.err})")
        equal(held(after.trace), (3500, 2), f"after, {options}: left")
        # The trace's folder is not there any more: the trace stays in memory, and with it what it knew of.
        before = run(program + ["before"], options=options, timeout=20)
        equal((before.status, before.out), (gated, "done\n"), f"before, {options}: end ({before.tool}{before.err})")
        equal(before.traces, [], f"before, {options}: traces")

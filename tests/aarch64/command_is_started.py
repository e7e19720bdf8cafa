"""The clone that starts the command, by itself and in the tracer."""
import os
import stat
import tempfile

from emulated import BUILD, program, run
from traced import check, equal

done = run(program("clones"), trace=False)
equal(done.status, 0, f"clones: {done.out} {done.err}")
lines = dict(line.split(": ", 1) for line in done.out.splitlines())
for what in ("process", "unaligned stack"):
    equal(lines[what], "status 42, memory its own", what)
equal(lines["thread"], "ran in the same memory", "thread")
equal(lines["refused"], "EINVAL", "refused flags")
check(lines["vfork"].startswith("status 42, "), f"vfork: {lines['vfork']}")
if lines["vfork"] == "status 42, memory its own":
    print("skipped: a child that shares the program's memory: the emulator makes a fork of CLONE_VM | CLONE_VFORK")

# The tracer's own use. Where its clone is refused, the program gets the short report and keeps its trace.
with tempfile.TemporaryDirectory() as folder:
    seen, stub = os.path.join(folder, "seen"), os.path.join(folder, "stub")
    with open(stub, "w", encoding="utf-8") as script:
        script.write(f'#!/bin/sh\nprintf "%s\\n" "$@" >{seen}\n')
    os.chmod(stub, stat.S_IRWXU)
    done = run(os.path.join(BUILD, "examples", "leak"), options=f"oom_reports=0:command={stub}")
    equal((done.status, done.out), (0, "leak: 100 frames, 10 damaged\n"), f"leak ({done.tool} {done.err})")
    if lines["vfork without a signal"] == "EINVAL":
        check(not os.path.exists(seen), "the command was started by a clone that the emulator refuses")
        check("40.00 MiB in 10 blocks" in done.tool + done.err, f"the short report: {done.tool} {done.err}")
        equal(done.trace["live_count"] + done.trace["ended_count"], 10, "blocks in the trace")
        print("skipped: the tracer starting the command: the emulator refuses a clone without an exit signal")
    else:
        with open(seen, encoding="utf-8") as arguments:
            equal(arguments.read().splitlines()[:2], ["report", "--at-exit"], "the command's arguments")

"""Processes share nothing: a hundred short ones leave a hundred traces, those that are process 1 of a container of their own
too, and one that is killed holds up nobody."""
import glob
import os
import random
import shutil
import signal
import subprocess
import tempfile

from traced import SANITIZE, TSAN, check, environment, equal, fixture, folder_of_driver, held, read_traces, run

PROCESSES = 100
program = fixture("allocates", "pitfalls")
MEMORY = "/dev/shm"  # a disk takes its time for a hundred files
with tempfile.TemporaryDirectory(dir=MEMORY if os.path.isdir(MEMORY) else None) as folder:
    script = f"i=0; while [ $i -lt {PROCESSES} ]; do '{program}' & i=$((i+1)); done; wait"
    outcome = run(["sh", "-c", script], folder=folder, timeout=60)
equal((outcome.status, outcome.out), (0, "done\n" * PROCESSES), "output")
equal([held(trace) for trace in outcome.traces], [(3000, 1)] * PROCESSES, "left, by process")
equal(len({trace["pid"] for trace in outcome.traces}), PROCESSES, "processes")

# Each is process 1, on one shared folder. Without a /proc of their own they do not even find themselves in it.
unshare = shutil.which("unshare")
if not unshare or subprocess.run([unshare, "-rpf", "--mount-proc", "true"], capture_output=True, check=False).returncode != 0:
    print("skipped: process 1, because no namespaces can be made here")
else:
    for words in (["-rpf", "--mount-proc"], ["-rpf"])[:1 if TSAN else 2]:  # TSan wants a /proc
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(4):
                outcome = run([unshare] + words + [program], folder=folder, timeout=20)
                equal((outcome.status, outcome.out), (0, "done\n"), f"{words}: output ({outcome.err})")
            equal([(trace["pid"], held(trace)) for trace in outcome.traces], [(1, (3000, 1))] * 4, f"{words}: traces")

# Sixteen at work, four of which are killed in the middle.
chance = random.Random(4711)
with tempfile.TemporaryDirectory() as folder:
    env = environment(True, folder, folder_of_driver(), "render=none", (), (), {})
    churn = [fixture("churn", "pitfalls"), "2", "3000" if SANITIZE else "30000"]
    at_work = [subprocess.Popen(churn, env=env, stdout=subprocess.DEVNULL) for _ in range(16)]
    victims = chance.sample(at_work, 4)
    for victim in victims:
        try:
            victim.wait(chance.random() / 10)
        except subprocess.TimeoutExpired:
            victim.kill()
    for process in at_work:
        process.wait(60)
    for process in at_work:
        killed = process in victims and process.returncode == -signal.SIGKILL
        check(killed or process.returncode == 0, f"status {process.returncode}")
        for path in glob.glob(os.path.join(folder, f"*.{process.pid}.*")) if killed else []:
            os.unlink(path)  # the killed one's may not even have its header: that is another test's subject
    traces = read_traces(folder)
    equal(len(traces), sum(process.returncode == 0 for process in at_work), "traces of processes that ended by themselves")
    equal({(held(trace), trace["end"]) for trace in traces}, {((0, 0), 1)}, "left in those, and their end")

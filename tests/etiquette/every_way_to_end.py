"""Each way a process can end: same output, same status, and a trace that says what was left."""
import os
import signal
import tempfile

from traced import COMMAND, SANITIZE, equal, fixture, held, run, same

STATUS = {
    "return": 0, "exit": 4, "exit_256": 0, "_exit": 4, "quick_exit": 4, "abort": -signal.SIGABRT, "term": -signal.SIGTERM,
    "int": -signal.SIGINT, "kill": -signal.SIGKILL, "segv": -signal.SIGSEGV, "handler": int(signal.SIGUSR1), "thread": 4,
    "main_thread_first": 0, "exec": 4, "exec_self": 4,
}
if SANITIZE:
    del STATUS["segv"]  # a sanitizer's own report names addresses that differ from run to run
RUNS_EXIT_HANDLERS = ("return", "exit", "exit_256", "handler", "thread", "main_thread_first")
for how, status in STATUS.items():
    outcome = same([fixture("ends"), how], timeout=10)
    equal(outcome.status, status, f"{how}: status")
    equal(len(outcome.traces), 2 if how == "exec_self" else 1, f"{how}: traces")
    for trace in outcome.traces:
        equal(held(trace), (3000, 1), f"{how}: left")
    if how in RUNS_EXIT_HANDLERS:
        equal((outcome.trace["end"], outcome.trace["exit_status"]), (1, status), f"{how}: end in the trace")
    elif how != "exec_self":
        equal(outcome.trace["end"], 0, f"{how}: end in the trace")
    if how in RUNS_EXIT_HANDLERS and os.path.exists(COMMAND):
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "report")
            reported = same([fixture("ends"), how], options=f"output={report}", timeout=20)
            equal(os.path.exists(report), True, f"{how}: a report ({reported.tool!r})")
            equal(reported.traces, [], f"{how}: trace files that stay after the report")

# A parent sees the lowest byte of what exit is given.
for how, status in (("return", 23), ("exit", 4), ("exit_256", 23)):
    equal(run([fixture("ends"), how], options="leak_check=1:output=/dev/null", timeout=20).status, status, f"{how}: gate")

for argv in ([fixture("loads_library"), "exits_in_constructor.so"], ["/bin/true"]):
    before = [] if len(argv) == 2 else [fixture("exits_in_constructor.so")]
    native = run(argv, traced=False, before=before)
    equal((native.status, native.out), (6, "from the constructor\n"), "exit in a constructor")
    outcome = run(argv, before=before, timeout=10)
    equal((outcome.status, outcome.out, outcome.err), (6, "from the constructor\n", ""), "exit in a constructor, traced")
    equal(held(outcome.trace), (3000, 1), "exit in a constructor: left")

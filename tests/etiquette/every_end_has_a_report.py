"""Whatever way a process ends, `gpumemtrace run` reports what it left and ends with its status: also where no exit handler runs."""
import os
import re
import signal
import subprocess
import tempfile

from traced import COMMAND, SANITIZE, equal, fixture, folder_of_driver, skip

if not os.path.exists(COMMAND) or SANITIZE:
    skip("the command is not built, or has a sanitizer")
STATUS = {
    "return": 0, "exit": 4, "_exit": 4, "quick_exit": 4, "abort": 128 + signal.SIGABRT, "term": 128 + signal.SIGTERM,
    "int": 128 + signal.SIGINT, "kill": 128 + signal.SIGKILL, "segv": 128 + signal.SIGSEGV, "handler": int(signal.SIGUSR1),
    "thread": 4, "main_thread_first": 0, "exec": 4, "exec_self": 4,
}
for how, status in STATUS.items():
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([COMMAND, "run", "--", fixture("ends"), how], capture_output=True, text=True, check=False, timeout=30,
                              env={"PATH": os.environ["PATH"], "GPUMEMTRACE_DIR": folder, "LD_LIBRARY_PATH": folder_of_driver()},
                              stdin=subprocess.DEVNULL)
    equal(done.returncode, status, f"{how}: status ({done.stderr})")
    leaks = re.findall(r"^gpumemtrace: LEAK in .*: (.*), was never freed", done.stderr, re.MULTILINE)
    equal(leaks, ["1 block, 2.93 KiB"] * (2 if how == "exec_self" else 1), f"{how}: leaks in the report ({done.stderr})")

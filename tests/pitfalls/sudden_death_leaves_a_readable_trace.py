"""SIGKILL strikes between two stores: the file must read afterwards, and its records never contradict by more than the
one call that was under way."""
import os
import signal
import subprocess
import tempfile
import time

from traced import LONG, check, environment, equal, fixture, folder_of_driver, read_traces

for i in range(400 if LONG else 40):
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([fixture("exits_in_handler"), "900000"], stdout=subprocess.DEVNULL,
                                   env=environment(True, folder, folder_of_driver(), "render=none", (), (), {}))
        while not os.listdir(folder) and process.poll() is None:
            time.sleep(0.001)
        time.sleep(0.002 + 0.0007 * i % 0.02)
        process.send_signal(signal.SIGKILL)
        equal(process.wait(), -signal.SIGKILL, "status")
        if not os.listdir(folder):
            continue
        path = os.path.join(folder, os.listdir(folder)[0])
        with open(path, "rb") as file:
            file.seek(28)
            if file.read(1) == b"\0":  # killed before the header was complete
                continue
        trace, = read_traces(folder)
        check(trace["live_count"] + trace["freeing_count"] <= 1, f"blocks after a kill: {trace['blocks']}")
        equal(trace["end"], 0, "end as the file knows it")

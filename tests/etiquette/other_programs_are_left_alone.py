"""Programs that do not use CUDA run preloaded too: same output and status, no file, and hardly any time."""
import os

from traced import SANITIZE, SOURCE, equal, run, same

README = os.path.join(SOURCE, "LICENSE")
COMMANDS = [
    ["true"], ["false"], ["echo", "a", "b"], ["printf", "%s\\n", "x"], ["cat", README], ["wc", README], ["head", "-3", README],
    ["tail", "-3", README], ["sort", README], ["uniq", README], ["cut", "-c1-5", README], ["tr", "a", "b"], ["rev", README],
    ["ls", "/"], ["ls", "/nonexistent"], ["stat", "/nonexistent"], ["basename", "/a/b"], ["dirname", "/a/b"], ["expr", "1", "+", "2"],
    ["expr", "1", "-", "1"], ["seq", "5"], ["test", "1", "=", "2"], ["env", "-i", "true"], ["id", "-u"], ["uname"], ["nl", README],
    ["md5sum", README], ["grep", "zzz", README], ["sed", "1q", README], ["tee", "/dev/null"], ["od", "-c", README],
    ["sh", "-c", "echo out; echo err >&2; exit 7"], ["sh", "-c", "kill -TERM $$"], ["timeout", "0.05", "sleep", "5"],
    ["perl", "-e", "fork; wait; print 1; exit 3"],
]
for argv in COMMANDS:
    outcome = same(argv, options="leak_check=1", timeout=20)
    equal((outcome.traces, outcome.tool), ([], ""), f"{argv}: traces and words")

if not SANITIZE:
    script = ["sh", "-c", "i=0; while [ $i -lt 300 ]; do /bin/true; i=$((i+1)); done"]
    times = {traced: min(run(script, traced=traced, options="").seconds for _ in range(3)) for traced in (False, True)}
    added = (times[True] - times[False]) / 300 * 1000
    print(f"a process that never uses CUDA takes {added:.2f} ms more")
    assert added < 5, added  # aim 1 ms; the machine may be busy

"""A program of an older CUDA on the simulated device: by its soname, and preloaded by the command.

Usage: older_runtime.py COMPILER CUDART BUILD, where CUDART lies beside the headers of its version.
"""
import os
import subprocess
import sys
import tempfile

compiler, cudart, build = sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
HEADERS = os.path.join(os.path.dirname(cudart), "..", "include")
EXPECTED = """\
properties: Simulated NVIDIA GPU, 132 multiprocessors, clock known
block: 2097152 bytes gone, then back
bytes: hello
event: recorded
graph: 1 node, runs
the rest of the structure: untouched
"""


def run(arguments, **environment):
    done = subprocess.run(arguments, env={**os.environ, "GPUMEMTRACE_SIMULATE": "8GiB", **environment}, text=True,
                          capture_output=True, check=False, timeout=60)
    if done.returncode != 0 or done.stdout != EXPECTED:
        sys.exit(f"{arguments} ended with {done.returncode} and said:\n{done.stdout}{done.stderr}\nexpected:\n{EXPECTED}")
    return done.stderr


with tempfile.TemporaryDirectory() as folder:
    program = os.path.join(folder, "program")
    # The run path leads to the real library: only a preload, or a search path before it, can take its place.
    source = os.path.join(HERE, "programs/older_runtime.c")
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-isystem", HEADERS, source, cudart, "-o", program,
                    f"-Wl,-rpath,{os.path.dirname(cudart)}"], check=True)
    run([program], LD_LIBRARY_PATH=f"{build}/lib/simulator")
    report = run([f"{build}/bin/gpumemtrace", "run", "--simulate", "8GiB", "--full", "--", program], GPUMEMTRACE_DIR=folder)
    name = os.path.basename(cudart)
    if f"asked for by {name}" not in report:
        sys.exit(f"the report does not name {name}:\n{report}")

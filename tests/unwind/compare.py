#!/usr/bin/env python3
"""Runs real programs with compare_preload.so and checks that the tracer's unwinder agreed with the compiler's everywhere.

    compare.py PRELOAD MIXED_FRAMES

Each program runs twice: compared at every malloc, then also at arbitrary instructions from a profiling signal.
"""
import os
import shutil
import subprocess
import sys
import tempfile

PRELOAD, MIXED_FRAMES = sys.argv[1:3]
SOURCE = os.path.join(tempfile.mkdtemp(), "work.c")
with open(SOURCE, "w") as source:
    for i in range(400):
        source.write(f"int f{i}(int a, int b) {{ for (int i = 0; i < a; i++) b = b * {i + 3} + a % (i + 1); return b; }}\n")
WORK = """
import decimal, json, re, zlib
for k in range(4):
    text = json.dumps([i * 1.1 for i in range(5000)])
    json.loads(text), re.findall(r"[0-9]+", text), zlib.compress(text.encode()), sorted(text)
sorted(range(3000), key=lambda i: (decimal.Decimal(i) ** 2, -i))
"""
NVRTC_PATH = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "lib64", "libnvrtc.so")
NVRTC = f"""
import ctypes
library, program = ctypes.CDLL("{NVRTC_PATH}"), ctypes.c_void_p()
library.nvrtcCreateProgram(ctypes.byref(program), b"__global__ void f(float *x) {{ x[threadIdx.x] *= 2; }}", b"f.cu", 0, None, None)
assert library.nvrtcCompileProgram(program, 0, None) == 0
"""
BLAS = """
import numpy
a = numpy.random.rand(400, 400)
for _ in range(10):
    a = a @ a / 400
numpy.linalg.svd(a[:200, :200]), numpy.linalg.solve(a + numpy.eye(400), a)
"""
HAS_NUMPY = subprocess.run([sys.executable, "-c", "import numpy"], capture_output=True, check=False).returncode == 0
if not HAS_NUMPY:
    print("skipped: numpy with its linear algebra library is not installed")
PROGRAMS = {
    "frames of all shapes": [MIXED_FRAMES],
    "python": [sys.executable, "-c", WORK],
    "numpy": [sys.executable, "-c", BLAS] if HAS_NUMPY else [None],
    "compiler": [shutil.which("cc"), "-O2", "-c", SOURCE, "-o", os.devnull],
    "perl": [shutil.which("perl"), "-e", 'my %h; $h{$_ % 97} .= "x" for 1..50000; print length join ",", sort keys %h'],
    "NVIDIA's compiler library": [sys.executable, "-c", NVRTC] if os.path.exists(NVRTC_PATH) else [None],
    "sort": ["sh", "-c", f"sort -r {SOURCE} | uniq -c | sort -n >/dev/null"],
}


def run(name, command, profile):
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "outcome")
        # The loader's lazy-binding trampoline keeps its frame in a register that is not followed; no CUDA call is below it.
        env = dict(os.environ, LD_PRELOAD=PRELOAD, COMPARE_OUTPUT=output, LD_BIND_NOW="1")
        if profile:
            env["COMPARE_PROFILE"] = "1"
        subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL, timeout=120)
        with open(output) as file:
            lines = file.read().splitlines()
    totals = dict.fromkeys(("stacks", "frames", "different", "shorter", "known", "mistaken"), 0)
    for line in lines:
        words = line.split()
        if words[0] == "stacks":
            for key, value in zip(words[::2], words[1::2]):
                totals[key] += int(value)
    print(name, "profiled" if profile else "at malloc", totals)
    # The shortest is sort without a locale, 75 stacks: enough to tell that something was compared.
    if totals["different"] or totals["shorter"] or totals["mistaken"] or totals["stacks"] < 50:
        print("\n".join(line for line in lines if not line.startswith("stacks")))
        return 1
    return 0


failed = sum(run(name, command, profile) for name, command in PROGRAMS.items() if command[0] for profile in (False, True))
sys.exit(1 if failed else 0)

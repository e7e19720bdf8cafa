"""Cross-builds the library, the simulated device, the examples and the programs of this folder for aarch64. The library
asks no more of its machine there than here."""
import os
import subprocess
import sys

from emulated import BUILD, LIBRARY
from traced import SOURCE, check

configure = ["cmake", "--preset", "aarch64", "-B", BUILD, "-DGMT_CUDA_INCLUDE=" + os.environ["GMT_CUDA_INCLUDE"]]
for command in (configure, ["cmake", "--build", BUILD, "-j", str(os.cpu_count())]):
    done = subprocess.run(command, cwd=SOURCE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    check(done.returncode == 0, f"{command}\n{done.stdout}")
for subject in ("needs", "glibc", "imports", "exports"):
    subprocess.run([sys.executable, "-B", "tests/build/check_library.py", subject, LIBRARY], cwd=SOURCE, check=True)

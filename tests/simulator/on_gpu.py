"""Runs a test of the simulated device on a real GPU: with the machine's own driver before the simulated one.

Usage: on_gpu.py PROGRAM [ARGUMENTS]
"""
import os
import re
import shutil
import subprocess
import sys

SKIPPED = 77


def driver():
    """The path of the machine's driver library, or None."""
    ldconfig = shutil.which("ldconfig", path=os.environ.get("PATH", "") + ":/sbin:/usr/sbin")
    if not ldconfig:
        return None
    cache = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"libcuda\.so\.1 .*=> (\S+)", cache)
    return found and found.group(1)


def main():
    path = driver()
    if not path or not os.path.exists("/dev/nvidia0"):
        print("skipped: no GPU")
        return SKIPPED
    return subprocess.run(sys.argv[1:], env={**os.environ, "LD_PRELOAD": path}, check=False).returncode


sys.exit(main())

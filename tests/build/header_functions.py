"""Every driver function that the installed cuda.h declares is a row: followed, or passed through for a reason. A new header
with a new allocation function fails here, and not in somebody's report.

usage: header_functions.py COMPILER INCLUDE_FOLDER      (run in the top folder)
"""
import re
import subprocess
import sys

TABLES = {"src/hook/entry_points.def": r"^GMT_ENTRY\(DRV, (\w+)", "src/hook/passed_through.def": r"^GMT_PASS\((\w+)"}
SURELY = 400  # declared by every header that is supported; fewer means that this script has stopped to understand it


def main():
    compiler, folder = sys.argv[1:]
    # Under this macro the header declares every variant, twins included, under its exported name.
    text = subprocess.run([compiler, "-E", "-P", "-D__CUDA_API_VERSION_INTERNAL", "-x", "c", folder + "/cuda.h"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    declared = set(re.findall(r"\bCUresult\s+(cu[A-Z]\w*)\s*\(", text))
    known = set()
    for path, row in TABLES.items():
        with open(path, encoding="utf-8") as table:
            known |= set(re.findall(row, table.read(), re.MULTILINE))
    for name in sorted(declared - known):
        print(f"cuda.h declares {name}, which is in neither of {' and '.join(TABLES)}")
    if len(declared) < SURELY:
        print(f"only {len(declared)} functions were found in cuda.h")
    return 1 if declared - known or len(declared) < SURELY else 0


sys.exit(main())

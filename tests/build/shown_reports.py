"""The reports shown in the README and at the top of each example are real: runs what stands behind "$ " there, on the
simulated device, and compares. With --write: puts the output of this run in instead. Run in the top folder.

usage: shown_reports.py [--write] BUILD_FOLDER FILE...

A shown report is a line "$ command" and the lines after it with the same indentation. Commands run in the build folder's
examples/, with its bin/ in PATH.
"""
import os
import re
import subprocess
import sys

PID = re.compile(r"\bpid \d+\b")
# What may differ from run to run, and what every new row of a table changes: not worth a new text.
LOOSE = (
    (re.compile(r"\b\d+(\.\d+)? (ms|s)\b"), "T"),
    (re.compile(r"(?<=Coverage: ).*|(?<=The tracer used ).*"), "N"),
)
COMMAND = re.compile(r"^(?P<margin>[ *]* {4})\$ (?P<command>.*)$")


def loosely(lines):
    for pattern, constant in LOOSE:
        lines = [pattern.sub(constant, line) for line in lines]
    return lines


def run(build, command):
    """What the command prints, as the terminal shows it."""
    environment = dict(os.environ, PATH=os.path.abspath(build + "/bin") + os.pathsep + os.environ["PATH"])
    environment.pop("GPUMEMTRACE_OPTIONS", None)
    done = subprocess.run(command, shell=True, cwd=build + "/examples", env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    return [PID.sub("pid 4711", line).rstrip() for line in done.stdout.splitlines()]


def shown_end(lines, start, margin):
    """Index after the last line of the report that starts at `start`: blank lines inside belong to it."""
    end = start
    for index in range(start, len(lines)):
        if lines[index].startswith(margin):
            end = index + 1
        elif lines[index].strip(" *"):
            break
    return end


def refresh(build, lines):
    """`lines` with every shown report as it is now."""
    fresh, index, count = [], 0, 0
    while index < len(lines):
        fresh.append(lines[index])
        found = COMMAND.match(lines[index])
        index += 1
        if found:
            count += 1
            fresh.extend((found["margin"] + line).rstrip() for line in run(build, found["command"]))
            index = shown_end(lines, index, found["margin"])
    return fresh, count


def main():
    arguments = sys.argv[1:]
    write = arguments[:1] == ["--write"]
    build, *files = arguments[1:] if write else arguments
    failed = False
    for name in files:
        with open(name, encoding="utf-8") as source:
            lines = source.read().split("\n")
        fresh, count = refresh(build, lines)
        if count == 0:
            print(f"{name} shows no report")
            failed = True
        elif write:
            with open(name, "w", encoding="utf-8") as target:
                target.write("\n".join(fresh))
        elif loosely(fresh) != loosely(lines):
            failed = True
            print(f"{name} shows another report than this run gave; if the new one is right:")
            print(f"    python3 tests/build/shown_reports.py --write {build} {name}")
            print("\n".join(line for line in fresh if line not in lines))
    return 1 if failed else 0


sys.exit(main())

"""What the simulated libraries export against the tables and against the installed toolkit's libraries.

Usage: exports.py SOURCE DRIVER RUNTIME STUB CUDART, where STUB or CUDART may be empty: that part is then skipped, and said so.
"""
import re
import subprocess
import sys

SKIPPED = 77


def exported(path):
    """The names of functions in the dynamic symbol table, without their version, and the versions by name."""
    text = subprocess.run(["nm", "-D", "--with-symbol-versions", path], check=True, capture_output=True, text=True).stdout
    found = {}
    for line in text.splitlines():
        fields = line.split()
        if len(fields) == 3 and fields[1] in "TW":
            name, _, version = fields[2].partition("@")
            found[name] = version.lstrip("@")
    return found


def rows(path, macro, argument):
    with open(path, encoding="utf-8") as table:
        return [match.group(argument) for match in re.finditer(rf"^{macro}\((\w+)(?:, (\w+))?", table.read(), re.M)]


def twice(names):
    return sorted({name for name in names if names.count(name) > 1})


def main():
    source, driver, runtime, stub, cudart = sys.argv[1:]
    faults = []

    def expect_none(names, what):
        if names:
            faults.append(f"{what}: {' '.join(sorted(names))}")

    hook = f"{source}/src/hook"
    followed = [name for kind, name in zip(rows(f"{hook}/entry_points.def", "GMT_ENTRY", 1),
                                           rows(f"{hook}/entry_points.def", "GMT_ENTRY", 2)) if kind == "DRV"]
    passed = rows(f"{hook}/passed_through.def", "GMT_PASS", 1)
    simulated = {name for name in exported(driver) if name.startswith("cu")}
    expect_none(twice(followed + passed), "in the tables twice")
    expect_none(set(followed + passed) ^ simulated, "not both in the tables and in the simulated driver")

    runtime_rows = rows(f"{source}/src/simulator/runtime/runtime_symbols.def", "GMT_RT", 1)
    simulated_runtime = exported(runtime)
    own = {name for name in simulated_runtime if name.startswith("gpumemtrace_simulator_")}
    expect_none(twice(runtime_rows), "in runtime_symbols.def twice")
    expect_none(set(runtime_rows) ^ (set(simulated_runtime) - own), "not both in runtime_symbols.def and in the simulated runtime")
    expect_none({name for name, version in simulated_runtime.items() if version != "libcudart.so.13"}, "without the version")

    skipped = []
    if stub:
        real = {name for name in exported(stub) if name.startswith("cu")}
        expect_none(real - set(followed + passed), "exported by the toolkit's driver stub, in neither table")
    else:
        skipped.append("no driver stub")
    if cudart:
        real = {name for name in exported(cudart) if re.match(r"(__)?cuda", name)}
        expect_none(real - set(runtime_rows), "exported by the toolkit's libcudart, without a row")
    else:
        skipped.append("no libcudart")

    for fault in faults:
        print(fault)
    if faults:
        return 1
    if skipped:
        print(f"skipped: the comparison with the toolkit ({', '.join(skipped)} installed)")
        return SKIPPED
    print(f"{len(simulated)} functions of the driver and {len(runtime_rows)} of the runtime are accounted for")
    return 0


sys.exit(main())

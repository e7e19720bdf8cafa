"""What the simulated libraries export against the tables and against the real libraries.

Usage: exports.py SOURCE FOLDER STUB CUDART13 CUDART12 CUDART11, where the last four may be empty: that part is then skipped,
and said so.
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


def runtime_rows(source):
    """The names of the runtime's functions, and those of each version."""
    with open(f"{source}/src/simulator/runtime/runtime_symbols.def", encoding="utf-8") as table:
        found = re.findall(r"^GMT_RT\((\w+), ([01]), ([01]), ([01])\)", table.read(), re.M)
    of_version = {version: {row[0] for row in found if row[column] == "1"}
                  for column, version in ((1, "11.0"), (2, "12"), (3, "13"))}
    return [row[0] for row in found], of_version


def twice(names):
    return sorted({name for name in names if names.count(name) > 1})


def check_runtime(version, library, real_library, wanted, expect_none):
    """One simulated runtime against its rows, and its rows against the real library of that version."""
    soname = f"libcudart.so.{version}"
    simulated = exported(library)
    own = {name for name in simulated if name.startswith("gpumemtrace_simulator_")}
    expect_none(wanted ^ (set(simulated) - own), f"not both in runtime_symbols.def and in the simulated {soname}")
    expect_none({name for name, node in simulated.items() if node != soname}, f"without the version {soname}")
    if real_library:
        real = {name: node for name, node in exported(real_library).items() if re.match(r"(__)?cuda", name)}
        expect_none(set(real) ^ wanted, f"not both in the real {soname} and in its rows")
        expect_none({name for name, node in real.items() if node != soname}, f"of another version in the real {soname}")


def main():
    source, folder, stub, *cudart = sys.argv[1:]
    cudart = dict(zip(("13", "12", "11.0"), cudart))
    faults = []

    def expect_none(names, what):
        if names:
            faults.append(f"{what}: {' '.join(sorted(names))}")

    hook = f"{source}/src/hook"
    followed = [name for kind, name in zip(rows(f"{hook}/entry_points.def", "GMT_ENTRY", 1),
                                           rows(f"{hook}/entry_points.def", "GMT_ENTRY", 2)) if kind == "DRV"]
    passed = rows(f"{hook}/passed_through.def", "GMT_PASS", 1)
    simulated = {name for name in exported(f"{folder}/libcuda.so.1") if name.startswith("cu")}
    expect_none(twice(followed + passed), "in the tables twice")
    expect_none(set(followed + passed) ^ simulated, "not both in the tables and in the simulated driver")

    names, of_version = runtime_rows(source)
    expect_none(twice(names), "in runtime_symbols.def twice")
    for version, wanted in of_version.items():
        check_runtime(version, f"{folder}/libcudart.so.{version}", cudart[version], wanted, expect_none)

    skipped = [f"libcudart.so.{version}" for version, path in cudart.items() if not path]
    if stub:
        real = {name for name in exported(stub) if name.startswith("cu")}
        expect_none(real - set(followed + passed), "exported by the toolkit's driver stub, in neither table")
    else:
        skipped.append("the driver stub")

    for fault in faults:
        print(fault)
    if faults:
        return 1
    if skipped:
        print(f"skipped: the comparison with what is not installed ({', '.join(skipped)})")
        return SKIPPED
    print(f"{len(simulated)} functions of the driver and {len(names)} of the runtimes are accounted for")
    return 0


sys.exit(main())

"""What the preloaded library asks of the machine it is loaded on, and what it shows to the programs it is loaded into.
`needs` holds for the command as well.

usage: check_library.py needs|glibc|imports|exports FILE      (run in the top folder)
"""
import os
import re
import subprocess
import sys

# The library is loaded into programs on any machine: libc is all it may ask for.
# The loader is part of libc: it holds _r_debug, through which libc's own dlsym is found.
ALLOWED_NEEDS = {"libc.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
OLDEST_GLIBC = (2, 17)
# These find the library's own exports, take the loader's lock or write the program's dlerror text.
FORBIDDEN_IMPORTS = {"dlsym", "dlvsym", "dladdr", "dladdr1", "dlopen", "dlmopen", "dlerror"}
# Exported beside the followed CUDA functions: two doors that have no row.
DOORS = {"dlsym", "dlclose"}
API_PREFIX = "gpumemtrace_"


def read_elf(*options):
    return subprocess.run(["readelf", "-W", *options], check=True, stdout=subprocess.PIPE, text=True).stdout


def needed(library):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", read_elf("-d", library)))


def symbols(library):
    """Yields (name, version or None, defined) for each dynamic symbol that other objects can see or must bring."""
    for line in read_elf("--dyn-syms", library).splitlines():
        fields = line.split()
        if len(fields) < 8 or not fields[0].rstrip(":").isdigit() or fields[4] == "LOCAL":
            continue
        name, _, version = fields[7].partition("@")
        yield name, version.lstrip("@") or None, fields[6] != "UND"


def check_needs(library):
    for name in sorted(needed(library) - ALLOWED_NEEDS):
        yield f"needs {name}; only libc and its loader are allowed"


def check_glibc(library):
    # Version needs are read apart from the symbols: a version can be needed without a symbol (GLIBC_ABI_DT_RELR).
    for version in sorted(set(re.findall(r"Name: (GLIBC_\w[\w.]*)", read_elf("--version-info", library)))):
        numbers = re.fullmatch(r"GLIBC_(\d+(?:\.\d+)*)", version)
        if not numbers or tuple(int(n) for n in numbers.group(1).split(".")) > OLDEST_GLIBC:
            users = [name for name, its_version, _ in symbols(library) if its_version == version]
            yield f"needs {version} ({', '.join(users) or 'no symbol'}); the oldest supported glibc is 2.17"


def check_imports(library):
    for name, _, defined in symbols(library):
        if not defined and name in FORBIDDEN_IMPORTS:
            yield f"imports {name}"


def check_exports(library):
    with open("src/hook/entry_points.def", encoding="utf-8") as table:
        wanted = set(re.findall(r"^GMT_ENTRY\(DRV, (\w+)", table.read(), re.MULTILINE)) | DOORS
    exported = {name for name, _, defined in symbols(library) if defined}
    for name in sorted(wanted - exported):
        yield f"does not export {name}"
    for name in sorted(exported - wanted):
        if not name.startswith(API_PREFIX):
            yield f"exports {name}, which is neither a row of entry_points.def nor a door"


CHECKS = {"needs": check_needs, "glibc": check_glibc, "imports": check_imports, "exports": check_exports}


def main():
    subject, library = sys.argv[1:]
    if not os.path.exists(library):
        sys.exit(f"{library} is not built")
    faults = list(CHECKS[subject](library))
    for fault in faults:
        print(f"{library}: {fault}")
    return 1 if faults else 0


sys.exit(main())

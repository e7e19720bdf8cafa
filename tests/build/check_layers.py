"""Which layer includes what: the table of src/README.md, checked over every #include line. Run in the top folder."""
import fnmatch
import os
import re
import sys

# folder: (project files it may include, libraries it may include), as patterns. Its own files and libc always.
LAYERS = {
    "src/base": ((), ("uthash",)),
    "src/track": (("base/*",), ("uthash",)),
    "src/report": (("base/*", "track/trace_file.h", "track/trace_kinds.def"), ()),
    "src/hook": (("base/*", "track/tracker.h", "track/trace_file.h"), ("cuda",)),
    "src/api": (("gpumemtrace.h", "base/*", "track/*", "hook/*"), ("cuda",)),
    "src/simulator": (("hook/entry_points.def", "hook/passed_through.def"), ("cuda",)),
    "tools": (
        ("gpumemtrace.h", "base/*", "report/*", "track/trace_file.h", "track/trace_kinds.def"),
        ("elfutils", "jansson", "demangler", "compression"),
    ),
    "include": ((), ()),
    "examples": ((), ("cuda", "c++")),
}

# library: headers it brings.
LIBRARIES = {
    "cuda": ("cuda.h", "cuda*.h", "driver_types.h", "vector_types.h", "builtin_types.h", "library_types.h"),
    "uthash": ("uthash.h", "utlist.h"),
    "elfutils": ("elfutils/*.h", "dwarf.h", "libelf.h", "gelf.h"),
    "jansson": ("jansson.h",),
    "compression": ("zlib.h", "lzma.h", "bzlib.h", "zstd.h"),
    "demangler": ("libiberty/*.h", "demangle.h"),
    "c++": ("vector",),
    "compiler": ("unwind.h", "stdatomic.h", "stdarg.h", "stdbool.h", "stddef.h", "stdint.h", "limits.h", "float.h",
                 "*intrin.h", "cpuid.h", "stdnoreturn.h", "stdalign.h"),
    "libc": ("sys/*.h", "linux/*.h", "asm/*.h", "arpa/*.h", "netinet/*.h", "assert.h", "ctype.h", "dirent.h",
             "dlfcn.h", "elf.h", "endian.h", "errno.h", "fcntl.h", "features.h", "fnmatch.h", "ftw.h", "getopt.h",
             "glob.h", "inttypes.h", "langinfo.h", "libgen.h", "link.h", "locale.h", "malloc.h", "math.h", "poll.h",
             "pthread.h", "pwd.h", "sched.h", "search.h", "semaphore.h", "setjmp.h", "signal.h", "spawn.h", "stdio.h",
             "stdio_ext.h", "stdlib.h", "string.h", "strings.h", "syscall.h", "termios.h", "threads.h", "time.h",
             "uchar.h", "ucontext.h", "unistd.h", "wchar.h"),
}
ALWAYS = ("compiler", "libc")
SOURCES = (".c", ".h", ".def", ".S", ".cu")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def matches(name, patterns):
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def project_path(name, folder):
    """Where the included file lies in the tree, or None when it is none of the project's."""
    for root in (folder, "src", "include", "."):
        path = os.path.normpath(os.path.join(root, name))
        if os.path.isfile(path):
            return path
    return None


def fault(name, layer, folder):
    """Why a file of `layer` in `folder` may not include `name`, or None."""
    files, libraries = LAYERS[layer]
    path = project_path(name, folder)
    if path is not None:
        if path.startswith(layer + os.sep) or matches(re.sub("^(src|include)/", "", path), files):
            return None
        return f"{layer} may not include {path}"
    for library, headers in LIBRARIES.items():
        if matches(name, headers):
            return None if library in ALWAYS + libraries else f"{layer} may not include {name} ({library})"
    return f"{name} is not known: generated files and new libraries need a line in tests/build/check_layers.py"


def main():
    faults = []
    for layer in LAYERS:
        for folder, _, names in os.walk(layer):
            for name in sorted(n for n in names if n.endswith(SOURCES)):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as source:
                    for number, line in enumerate(source, 1):
                        found = INCLUDE.match(line)
                        why = found and fault(found.group(1), layer, folder)
                        if why:
                            faults.append(f"{path}:{number}: {why}")
    print("\n".join(faults) if faults else "every layer includes what it may")
    return 1 if faults else 0


sys.exit(main())

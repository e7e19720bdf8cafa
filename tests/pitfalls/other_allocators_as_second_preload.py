"""jemalloc, tcmalloc and mimalloc start so early that a hook which allocates, or looks up lazily, deadlocks in them."""
import os
import subprocess

from traced import SANITIZE, equal, fixture, held, same, skip

if SANITIZE:
    skip("a sanitizer is the allocator of this build")
cache = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=False).stdout
found = 0
ALLOCATORS = ("libjemalloc.so.2", "libtcmalloc.so.4", "libtcmalloc_minimal.so.4", "libmimalloc.so.2 libmimalloc.so.2.0")
for name in ALLOCATORS:  # each under the names that it has in one system or another
    paths = [line.split("=>")[1].strip() for line in cache.splitlines() if line.split() and line.split()[0] in name.split()]
    if not paths or not os.path.exists(paths[0]):
        print("skipped:", name.split()[0], "is not installed")
        continue
    found += 1
    for position in ("before", "after"):
        for program in ("allocates", "loads_while_allocating", "wraps_libc"):
            outcome = same(fixture(program), timeout=40, **{position: paths[:1]}) if program != "wraps_libc" else \
                same(fixture(program), timeout=10, **{position: paths[:1]})
            equal(held(outcome.trace), (0, 0) if program == "loads_while_allocating" else (3000, 1), f"{name}, {program}")
if not found:
    skip("none of jemalloc, tcmalloc and mimalloc is installed")

"""Before glibc 2.34 dlsym lives in libdl, and a library built on a new system may ask for symbols that an old one lacks: the
tracer runs under Debian 11's loader and libc (2.31). A campaign: it fetches that release's packages."""
import os
import platform
import shutil
import subprocess

from traced import BUILD, LONG, SANITIZE, SOURCE, equal, held, no_trouble, same, skip

if not LONG:
    skip("the packages of an old release are fetched in campaigns only (tools/check --long)")
if SANITIZE:
    skip("a sanitizer's runtime needs the libc that it was built for")
if platform.machine() != "x86_64" or not shutil.which("debootstrap") or os.geteuid() != 0:
    skip("needs debootstrap, root and x86-64")

# The first stage unpacks packages and neither runs nor mounts anything.
root = os.path.join(BUILD, "old_libc")
libraries = os.path.join(root, "lib/x86_64-linux-gnu")
if not os.path.exists(os.path.join(libraries, "libdl-2.31.so")):
    fetched = subprocess.run(["debootstrap", "--foreign", "--variant=minbase", "bullseye", root], capture_output=True, text=True,
                             check=False)
    if fetched.returncode != 0:
        skip("the packages of Debian 11 cannot be fetched: " + fetched.stdout.strip()[-200:])

program = os.path.join(BUILD, "tests", "old_libc")
subprocess.run([os.environ.get("CC", "cc"), "-g", "-O1", "-nostartfiles", "-nodefaultlibs",
                os.path.join(SOURCE, "tests/pitfalls/programs/old_libc.c"), "-o", program,
                os.path.join(libraries, "libc.so.6"), os.path.join(libraries, "libdl.so.2")], check=True)
outcome = same([os.path.join(libraries, "ld-2.31.so"), "--library-path",
                libraries + ":" + os.path.join(BUILD, "tests/driver"), program])
equal(outcome.out, "done\n", "output")
equal(held(outcome.trace), (300, 1), "left")
equal(outcome.trace["taken"], 2, "taken")
no_trouble(outcome.trace)

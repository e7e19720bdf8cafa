"""Runs programs with and without the tracer and reads the traces they leave. The scripts beside this folder use it."""
import glob
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

LIBRARY = os.environ["GMT_LIBRARY"]
BUILD = os.environ["GMT_BUILD"]
SOURCE = os.environ["GMT_SOURCE"]
FIXTURES = os.environ["GMT_FIXTURES"]
GROUP = os.environ["GMT_GROUP"]
SANITIZE = os.environ.get("GMT_SANITIZE", "")
TSAN = "thread" in SANITIZE
LONG = bool(os.environ.get("GMT_LONG"))
COMMAND = os.path.join(BUILD, "bin", "gpumemtrace")
SIMULATOR = os.path.join(BUILD, "lib", "simulator")
TOOL_PREFIX = "gpumemtrace:"


def skip(reason):
    """Ends the test as skipped, visibly."""
    print("skipped:", reason)
    sys.exit(77)


def fixture(name, group=None):
    """A program or library that CMake built for these tests."""
    return os.path.join(FIXTURES, group or GROUP, name)


def folder_of_driver(name="driver"):
    return os.path.join(FIXTURES, name)


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def equal(found, expected, what):
    check(found == expected, f"{what}: {found!r}, expected {expected!r}")


class Outcome:
    """What one run left behind. `err` is standard error without the tracer's own lines, `tool` those lines."""

    def __init__(self, status, out, err, traces, seconds):
        self.status = status
        self.out = out
        lines = err.splitlines(keepends=True)
        self.tool = "".join(line for line in lines if line.startswith(TOOL_PREFIX))
        self.err = "".join(line for line in lines if not line.startswith(TOOL_PREFIX))
        self.traces = traces
        self.seconds = seconds

    @property
    def trace(self):
        """The one trace of a run that must leave exactly one."""
        equal(len(self.traces), 1, f"trace files (stdout {self.out!r}, stderr {self.err!r}, {self.tool!r})")
        return self.traces[0]


def read_traces(folder):
    traces = []
    for path in sorted(glob.glob(os.path.join(folder, "*.gmt"))):
        dump = subprocess.run([os.environ["GMT_DUMP"], path], capture_output=True, check=False)
        check(dump.returncode == 0, f"unreadable trace {path}: {dump.stderr!r}")
        traces.append(json.loads(dump.stdout))
    return traces


def environment(traced, folder, driver, options, before, after, extra):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("GMT_", "GPUMEMTRACE", "LD_", "PYTHON"))}
    places = [driver] if isinstance(driver, str) else list(driver)
    env["LD_LIBRARY_PATH"] = ":".join(places + [fixture("")])
    preload = list(before) + ([LIBRARY] if traced is True else [traced] if traced else []) + list(after)
    if preload:
        env["LD_PRELOAD"] = ":".join(preload)
    if traced:
        env["GPUMEMTRACE_DIR"] = folder
        env["GPUMEMTRACE_OPTIONS"] = options
    if SANITIZE:
        # The tracer, built with a sanitizer, comes before the sanitizer's own library; leaks are other tests' business.
        env["ASAN_OPTIONS"] = "verify_asan_link_order=0:detect_leaks=0"
    env.update(extra)
    return env


def run(argv, traced=True, driver=None, options="render=none:oom_reports=0", before=(), after=(), env=None, timeout=30, stdin=None,
        folder=None, setup=None, cwd=None):
    """Runs a program to its end. One that is still running after `timeout` seconds (more in campaigns) fails the test."""
    timeout *= 8 if LONG else 1
    argv = [argv] if isinstance(argv, str) else list(argv)
    with tempfile.TemporaryDirectory(prefix="gmt-test-") as temporary:
        place = folder or temporary
        started = time.monotonic()
        process = subprocess.Popen(
            argv, stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
            env=environment(traced, place, driver or folder_of_driver(), options, before, after, env or {}),
            preexec_fn=setup, cwd=cwd)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            raise AssertionError(f"{argv} was still running after {timeout} s; stdout {out!r}, stderr {err!r}") from None
        seconds = time.monotonic() - started
        return Outcome(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"), read_traces(place),
                       seconds)


def same(argv, **settings):
    """Runs with and without the tracer; output and status must not differ. The traced run."""
    native = run(argv, **{**settings, "traced": False, "before": settings.get("before", ())})
    traced = run(argv, **settings)
    what = " ".join([argv] if isinstance(argv, str) else argv)
    equal(traced.status, native.status, f"{what}: status (stderr {traced.err!r})")
    equal(traced.out, native.out, f"{what}: standard output")
    equal(traced.err, native.err, f"{what}: standard error")
    return traced


def held(trace):
    """(bytes, blocks) that were never freed."""
    return (trace["live_bytes"] + trace["ended_bytes"], trace["live_count"] + trace["ended_count"])


def no_trouble(trace):
    equal(trace["troubles"], {}, "the tracer's own troubles")

"""No call out of the tracer under one of its locks: neither into the driver, nor the allocator, the loader or a lock of
somebody else's. Programs that meet in every order run whole under a library whose locks are watched, and the same library
made to break the rule is caught at each kind of call."""
import os
import signal
import tempfile

from traced import COMMAND, SIMULATOR, check, equal, fixture, folder_of_driver, held, run, same

WATCHED, TRAP = fixture("libgpumemtrace_watched.so"), fixture("liblock_trap.so")
WATCH = {"traced": WATCHED, "before": [TRAP], "driver": [folder_of_driver("driver_instrumented"), fixture("", "pitfalls")],
         "timeout": 60}
MEMORY = "/dev/shm"  # a disk takes its time for many traces

ACCUSATION = " was called under a lock of the tracer\n"
INSTRUMENTED = "the driver or the unwinder"
BROKEN = {"leaf malloc": "malloc", "leaf loader": "dl_iterate_phdr", "leaf mutex": "pthread_mutex_lock",
          "leaf driver": INSTRUMENTED, "leaf unwinder": INSTRUMENTED,
          "start malloc": "malloc", "start mutex": "pthread_mutex_lock", "start unwinder": INSTRUMENTED}
for how, accused in BROKEN.items():
    outcome = run(fixture("allocates", "pitfalls"), env={"GMT_TEST_BREAKS": how}, **WATCH)
    equal((outcome.status, outcome.err), (-signal.SIGABRT, accused + ACCUSATION), f"{how}: end and accusation")
# What the start may do, and a rule that nobody breaks.
for how in ("start loader", "leaf", ""):
    outcome = run(fixture("allocates", "pitfalls"), env={"GMT_TEST_BREAKS": how}, **WATCH)
    equal((outcome.status, outcome.out, outcome.err), (0, "done\n", ""), f"not broken ({how})")
    equal(held(outcome.trace), (3000, 1), "left")

# Threads that take and free, load and unload libraries, fail, fork, and start all at once; with reports on the way and at exit.
report = "" if os.path.exists(COMMAND) else ":render=none"
PROGRAMS = {
    ("allocates", "pitfalls"): ["keep=1:verbose=2", "render=none:stacks=0", "max_blocks=1:render=none", "off=1"],
    ("loads_while_allocating", "pitfalls"): ["render=none"], ("churn", "pitfalls", "8", "2000"): ["render=none"],
    ("asks_in_a_loop", "pitfalls"): ["output=/dev/null" + report], ("threads_begin", "pitfalls"): ["render=none"],
    ("loads_two_at_one_base", "pitfalls"): ["render=none"],
    ("loads_constructor_thread", "pitfalls"): ["render=none"], ("children", "etiquette", "fork_twice"): ["render=none"],
    ("forks_under_load", "etiquette", "50"): ["render=none"], ("ends", "etiquette", "thread"): ["output=/dev/null" + report],
}
for (program, group, *arguments), settings in PROGRAMS.items():
    for options in settings:
        native = run([fixture(program, group)] + arguments, traced=False, driver=WATCH["driver"])
        outcome = run([fixture(program, group)] + arguments, options=options, **WATCH)
        equal(outcome.status, native.status, f"{program} {arguments} with {options} ({outcome.tool}{outcome.err})")

# Every row there is, on the simulated device, whose calls take a lock of its own; each ends as it does without the tracer.
if os.path.exists(fixture("calls_every_row", "pitfalls")):
    for how in ("null", "zeros"):
        with tempfile.TemporaryDirectory(dir=MEMORY if os.path.isdir(MEMORY) else None) as folder:
            outcome = same([fixture("calls_every_row", "pitfalls"), how], folder=folder, **{**WATCH, "driver": SIMULATOR})
        equal("signal 6" in outcome.out, False, f"{how}: {outcome.err}")

# One thing of each kind.
if os.path.exists(fixture("each_kind")):
    kinds = run([fixture("each_kind"), "list"], traced=False, driver=SIMULATOR).out.split()
    check(len(kinds) >= 20, f"kinds: {kinds}")
    for kind in kinds:
        outcome = run([fixture("each_kind"), kind], **{**WATCH, "driver": SIMULATOR})
        check(outcome.status in (0, 77), f"{kind}: {outcome.status} ({outcome.err})")
        if outcome.status == 77:
            print(f"skipped: {kind}, {outcome.out}")

"""A program that closes everything and opens its own file as descriptor 2 must not find the tracer's text in it, and
the tracer keeps no descriptor of its own."""
import os
import tempfile

from traced import equal, fixture, held, run, same

for options in ("render=none:oom_reports=0", "keep=1", "leak_check=1:verbose=1:keep=1"):
    with tempfile.TemporaryDirectory() as folder:
        own = os.path.join(folder, "own")
        outcome = run([fixture("closes_descriptors"), own], options=options, timeout=20)
        equal((outcome.status, outcome.out), (23 if "leak_check" in options else 0, "its file is descriptor 2\n"), options)
        with open(own, encoding="utf-8") as text:
            equal(text.read(), "the program's own text\n", f"{options}: the program's file")
        equal(held(outcome.trace), (3500, 2), f"{options}: left")
same(fixture("lists_descriptors"))
listed = run(fixture("lists_descriptors"), options="output=/dev/null", timeout=20)
equal(listed.out, "open: 0\nopen: 1\nopen: 2\n", "descriptors while device memory is held")


def close_standard():
    for descriptor in (0, 1, 2):
        os.close(descriptor)


for options in ("render=none:oom_reports=0", "keep=1"):
    outcome = run([fixture("ends", "etiquette"), "exit"], options=options, setup=close_standard, timeout=20)
    equal((outcome.status, outcome.out, outcome.err, outcome.tool), (4, "", "", ""), f"{options}: no standard descriptors")
    equal(held(outcome.trace), (3000, 1), f"{options}: left")

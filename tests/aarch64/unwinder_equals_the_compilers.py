"""The unwinder against the compiler's, frame by frame at every malloc: frames of all shapes, signal handlers, threads,
and return addresses that are signed with either key."""
import os
import tempfile

from emulated import program, run
from traced import check, equal, skip

PROGRAMS = ("mixed_frames", "frame_shapes_plain", "frame_shapes_signed", "frame_shapes_signed_b")


def compare(name):
    with tempfile.TemporaryDirectory() as folder:
        outcome = os.path.join(folder, "outcome")
        done = run(program(name), trace=False, before=[program("compare_preload.so")],
                   env={"COMPARE_OUTPUT": outcome, "LD_BIND_NOW": "1"})
        equal((done.status, done.out), (0, "done\n"), f"{name} ({done.err})")
        with open(outcome, encoding="utf-8") as file:
            lines = file.read().splitlines()
    words = lines[-1].split()
    totals = dict(zip(words[::2], map(int, words[1::2])))
    print(name, totals)
    check(totals["stacks"] > 5000 and totals["frames"] > 5 * totals["stacks"], f"{name}: {totals}")
    equal((totals["different"], totals["shorter"]), (0, 0), "\n".join([name] + lines))


for each in PROGRAMS:
    compare(each)
for kind, expected in (("plain", "plain\n"), ("signed", "signed\n"), ("signed_b", "signed\n")):
    said = run([program("frame_shapes_" + kind), "signed"], trace=False).out
    if said == "plain\n" != expected:
        skip(f"the emulated processor does not sign return addresses ({kind})")
    equal(said, expected, kind)

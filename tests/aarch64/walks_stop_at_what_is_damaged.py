"""Code without unwind tables and damaged stacks: a walk shows no frame that is none, and ends. The readers of unwind
tables and options get the inputs that once troubled them."""
import os

from emulated import program, run
from traced import SOURCE, check, equal

done = run(program("damaged_stacks"), trace=False)
print(done.out, done.err)
equal(done.status, 0, "damaged stacks")
check(int(done.out.split()[0]) > 250, "too few checks")
for reader in ("eh_frame", "options"):
    corpus = os.path.join(SOURCE, "tests", "base", reader + "_corpus")
    done = run([program(reader + "_corpus"), corpus], trace=False)
    equal(done.status, 0, f"{reader}: {done.out} {done.err}")
    check(int(done.out.split()[0]) == len(os.listdir(corpus)), f"{reader}: {done.out}")

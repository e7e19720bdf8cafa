"""A process whose main thread has ended has an empty /proc/self/maps and command line: the trace has both."""
from traced import TSAN, equal, fixture, held, run, skip

if TSAN:
    skip("a program built with the thread sanitizer hangs by itself when its main thread ends first")

program = fixture("main_thread_is_gone")
outcome = run([program, "two words"], timeout=20)
equal((outcome.status, outcome.out), (0, ""), f"status ({outcome.err!r})")
equal(held(outcome.trace), (3000, 1), "left")
equal(outcome.trace["executable"], program, "program")
equal(outcome.trace["arguments"], f"{program} 'two words'", "command line")

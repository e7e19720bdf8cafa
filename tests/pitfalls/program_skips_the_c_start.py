"""A program whose first instruction is its own, as other languages' linkers make them, starts no C runtime."""
from traced import SANITIZE, equal, fixture, held, no_trouble, same, skip

if SANITIZE:
    skip("a sanitizer starts with the C runtime")
outcome = same(fixture("own_start"), timeout=10)
equal((outcome.status, outcome.out), (0, "done\n"), "status and output")
equal((held(outcome.trace), outcome.trace["taken"]), ((300, 1), 2), "left")
no_trouble(outcome.trace)

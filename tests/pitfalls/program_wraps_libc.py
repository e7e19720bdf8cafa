"""A program that defines libc functions itself must not be entered by the tracer: it recursed until the stack ended."""
from traced import TSAN, equal, fixture, held, same, skip

if TSAN:
    skip("TSan starts before the program's own wrappers can run")

equal(held(same(fixture("wraps_libc"), timeout=10).trace), (3000, 1), "left")

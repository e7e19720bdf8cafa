"""The library's own short report lists the sites that hold memory, not those that once held the most."""
from traced import equal, fixture, run

outcome = run(fixture("peaks_then_leaks"), options="command=/nonexistent")
equal(outcome.status, 0, "status")
assert "gpumemtrace: LEAK: 2.93 KiB in 1 block was never freed\n" in outcome.tool, outcome.tool
equal(outcome.err.count("\n"), 1, f"lines about sites ({outcome.err!r})")
assert outcome.err.startswith("  2.93 KiB in 1 block by cuMemAlloc_v2 at peaks_then_leaks+0x"), outcome.err

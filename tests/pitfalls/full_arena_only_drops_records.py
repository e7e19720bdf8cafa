"""When the tracer's own memory or tables are full the program goes on, and what was dropped is counted."""
from traced import equal, fixture, run

for options, kept in (("max_memory=1MiB", None), ("max_memory=2MiB", None), ("max_blocks=100", 100), ("max_memory=0", 0)):
    outcome = run([fixture("slowest_add"), "30000"], options=f"render=none:{options}", timeout=60)
    equal((outcome.status, outcome.out[:8]), (0, "slowest "), f"{options}: the program")
    if not outcome.traces:
        assert "nothing is traced" in outcome.tool, outcome.tool
        continue
    trace = outcome.trace
    dropped = trace["troubles"].get("NO_MEMORY", 0) + trace["troubles"].get("BLOCKS_FULL", 0)
    print(options, trace["live_count"], "recorded", trace["troubles"])
    equal(trace["live_count"] + dropped, 30000, f"{options}: recorded and dropped")
    assert dropped > 0, options
    if kept is not None:
        equal(trace["live_count"], kept, f"{options}: recorded")
    else:
        assert trace["live_count"] > 1000, f"{options}: {trace['live_count']} recorded"

"""Children made in any way: the parent's records stay, a child that takes memory has a trace of its own, one that does
not leaves nothing, and nobody's output or status changes."""
from traced import TSAN, equal, fixture, held, no_trouble, same

# how: blocks left in the parent, and bytes left in each child that has a trace
LEFT = {
    "fork": (3000, []), "fork_works": (3000, [111]), "fork_ends_fast": (3000, [111]), "fork_twice": (3000, [111, 111]),
    "vfork": (3050, []), "clone": (3000, [111]), "spawn": (3000, []), "exec": (3000, []), "system": (3000, []),
    "popen": (3000, []),
}
if TSAN:
    del LEFT["vfork"]  # TSan makes it a fork
for how, (in_parent, in_children) in LEFT.items():
    outcome = same([fixture("children"), how], timeout=10)
    by_bytes = sorted((trace["live_bytes"] for trace in outcome.traces), reverse=True)
    equal(by_bytes, [in_parent] + in_children, f"{how}: bytes left, by process")
    pids = {trace["pid"] for trace in outcome.traces}
    equal(len(pids), len(outcome.traces), f"{how}: processes with a trace")
    for trace in outcome.traces:
        no_trouble(trace)
        if trace["live_bytes"] == 111:
            equal((held(trace), trace["taken"]), ((111, 1), 1), f"{how}: a child starts empty")

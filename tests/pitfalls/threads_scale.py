"""A lock that sleeps and retries makes threads crawl: traced against native in the same minute, for 1 to 64 threads."""
import re

from traced import SANITIZE, equal, fixture, held, run

PAIRS = 20_000 if SANITIZE else 100_000


def cost(threads, traced):
    """Nanoseconds of a pair, the best of three runs."""
    costs = []
    for _ in range(3):
        outcome = run([fixture("churn"), str(threads), str(PAIRS)], traced=traced, timeout=100)
        if traced:
            equal((held(outcome.trace), outcome.trace["troubles"]), ((0, 0), {}), f"{threads} threads")
        costs.append(float(re.search(r"rest (\S+) ns", outcome.out).group(1)))
    return min(costs)


base = None
for threads in (1, 2, 8, 64):
    native, traced = cost(threads, False), cost(threads, True)
    added = traced - native
    base = base or max(added, 100)
    print(f"{threads:2} threads: native {native:.0f} ns, traced {traced:.0f} ns a pair")
    assert SANITIZE or added <= 8 * base + 2000, f"{threads} threads add {added:.0f} ns a pair, one adds {base:.0f}"

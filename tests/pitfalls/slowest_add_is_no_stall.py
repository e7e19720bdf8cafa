"""One hash table under one lock stalls for 50 ms and more when it grows: the slowest of many calls is bounded."""
import re

from traced import SANITIZE, equal, fixture, run

BLOCKS = 60000
outcome = run([fixture("slowest_add"), str(BLOCKS)], timeout=60)
print(outcome.out)
slow = int(re.search(r"(\d+) above 20 ms", outcome.out).group(1))
assert SANITIZE or slow <= 2, outcome.out  # a machine with two cores under load may take one or two away
equal((outcome.trace["live_bytes"], outcome.trace["live_count"]), (16 * BLOCKS, BLOCKS), "blocks")

"""With stacks=0 blocks are still counted, all of one function at one call site that has no frames."""
from traced import equal, fixture, held, no_trouble, run

outcome = run([fixture("allocates")], options="render=none:stacks=0")
equal((outcome.status, outcome.out), (0, "done\n"), "status and output")
equal(held(outcome.trace), (3000, 1), "left")
equal([(site["total_count"], site["stack"]) for site in outcome.trace["sites"]], [(2, [])], "call sites")
no_trouble(outcome.trace)

"""A program linked to a versioned runtime must start without the loader's warnings and be followed."""
from traced import equal, fixture, held, same

outcome = same(fixture("uses_runtime"), timeout=10)
equal((outcome.out, outcome.err), ("0 0 0\n", ""), "output")
equal(held(outcome.trace), (3000, 1), "left")
site, = [site for site in outcome.trace["sites"] if site["live_count"]]
assert site["stack"][0][0].endswith("/libcudart.so.13"), site
assert site["stack"][1][0].endswith("/uses_runtime"), site

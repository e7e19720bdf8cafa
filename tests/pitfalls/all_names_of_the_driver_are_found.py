"""A loader that aborts when one of hundreds of names is missing must find what the driver has, and nothing more."""
from traced import fixture, same

outcome = same(fixture("wants_all_names"), driver=fixture("names"), timeout=10)
assert outcome.out.count("handle missing, default missing") == 4, outcome.out

"""A constructor that joins a thread holds the loader's lock meanwhile: nothing on a hook's way may take that lock."""
from traced import equal, fixture, held, no_trouble, same

outcome = same(fixture("loads_constructor_thread"), timeout=10)
equal(outcome.out, "loaded\n", "output")
equal(held(outcome.trace), (3000, 1), "left")
no_trouble(outcome.trace)
linked = same(fixture("allocates"), before=[fixture("constructor_thread.so")], timeout=10)
equal(held(linked.trace), (6000, 2), "left, preloaded")

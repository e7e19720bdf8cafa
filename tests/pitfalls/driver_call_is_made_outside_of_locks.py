"""A driver may block in an allocation until another thread's arrives: the tracer may hold no lock over the real call."""
from traced import equal, fixture, folder_of_driver, held, same

outcome = same(fixture("two_threads_allocate"), driver=folder_of_driver("driver_that_waits"), timeout=10)
equal(outcome.out, "both returned\n", "output")
equal(held(outcome.trace), (3000, 2), "left")

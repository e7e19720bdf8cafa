"""A plug-in opened RTLD_LOCAL that needs libcuda: RTLD_NEXT from a hook finds nothing, and the plug-in's own default
scope has the driver although the program's has not."""
from traced import equal, fixture, held, no_trouble, same

outcome = same(fixture("loads_plugin"), timeout=10)
equal(outcome.out, "default scope of the program: missing\ndefault scope of the plug-in: there\n", "output")
equal(held(outcome.trace), (3070, 2), "left")
no_trouble(outcome.trace)

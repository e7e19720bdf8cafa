"""dlsym(RTLD_DEFAULT) must not find driver functions in a process without a driver just because the tracer exports them."""
from traced import equal, fixture, same

FOUND = {"none": "0 0", "local": "0 1", "global": "1 1"}
for how, answers in FOUND.items():
    outcome = same([fixture("asks_default_scope"), how])
    equal(outcome.out.splitlines()[1], f"cuMemAlloc_v2 {answers}", f"driver {how}")
equal(same([fixture("asks_default_scope_linked"), "local"]).out.splitlines()[1], "cuMemAlloc_v2 1 1", "driver linked")

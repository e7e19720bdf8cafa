"""On WSL libcuda.so.1 is a stub that looks the same names up in its core: no recursion, one record, not a bypass."""
from traced import equal, fixture, held, no_trouble, same

for core in ("libcuda_core_so", "libcuda_so_1"):
    trace = same(fixture("allocates"), driver=fixture(f"core_{core}"), timeout=10).trace
    equal(held(trace), (3000, 1), f"{core}: left")
    equal(trace["taken"], 2, f"{core}: blocks recorded")
    equal(trace["calls"]["cuMemAlloc_v2"], 2, f"{core}: calls")
    equal(trace["bypassed"], 0, f"{core}: look-ups past the hooks")
    no_trouble(trace)

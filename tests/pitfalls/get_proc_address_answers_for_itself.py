"""Runtimes ask cuGetProcAddress for cuGetProcAddress, in two variants and with the version they were built for."""
from traced import equal, fixture, folder_of_driver, held, no_trouble, same

CASES = [(driver, variant, version) for driver in ("driver", "driver_preemptible") for variant in ("v1", "v2")
     for version in (11030, 12000, 13000)]
for driver, variant, version in CASES:
    outcome = same([fixture("asks_for_itself"), variant, str(version)], driver=folder_of_driver(driver), timeout=10)
    assert "cuMemAlloc: code 0" in outcome.out and "cuNoSuchFunction: code 500" in outcome.out, outcome.out
    equal(held(outcome.trace), (3000, 1), f"{driver} {variant} {version}: left")
    equal(outcome.trace["taken"], 2, f"{driver} {variant} {version}: blocks recorded")
    equal(outcome.trace["bypassed"], 0, f"{driver} {variant} {version}: look-ups past the hooks")
    no_trouble(outcome.trace)

# Drivers that have one variant only: what is missing stays missing.
for lacks, variant, version in (("v2", "v1", 11030), ("v1", "v2", 12000), ("v2", "v2", 12000), ("v1", "v1", 11030)):
    outcome = same([fixture("asks_for_itself"), variant, str(version)], driver=folder_of_driver(f"driver_without_{lacks}"))
    if lacks == variant:
        equal(outcome.out, "no such function\n", f"driver without {lacks}")
    else:
        equal(held(outcome.trace), (3000, 1), f"driver without {lacks}: left")

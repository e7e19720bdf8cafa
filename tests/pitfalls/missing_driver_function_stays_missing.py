"""A function that an old driver lacks is not found by look-up, and a directly bound call gets the driver's "not found"."""
from traced import equal, fixture, folder_of_driver, run

NATIVE = {"v2": ("dlsym: 1 0", 0, 500), "v1": ("dlsym: 0 1", 500, 0)}
for lacks, (found, code_v1, code_v2) in NATIVE.items():
    driver = folder_of_driver(f"driver_without_{lacks}")
    native = run(fixture("needs_missing_function"), traced=False, driver=driver)
    assert native.status != 0 and native.out.startswith(found), native.out  # the loader ends it at the direct call
    traced = run(fixture("needs_missing_function"), driver=driver)
    equal(traced.status, 0, f"driver without {lacks}: status")
    equal(traced.out.splitlines()[:-1], native.out.splitlines(), f"driver without {lacks}: look-ups")
    equal(traced.out.splitlines()[-1], f"direct: {code_v1} {code_v2}", f"driver without {lacks}: direct calls")

"""dlsym(RTLD_NEXT) goes by its return address: the forward must be a jump, or a wrapper finds itself or the wrong one."""
from traced import equal, fixture, same

equal(same(fixture("calls_foo"), timeout=10).out, "11 11 11\n", "foo through its wrapper")

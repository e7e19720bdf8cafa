"""The dlsym door: every name goes where it would without the tracer, but followed functions of a driver come out as
their wrappers, and what is allocated through one is recorded."""
from emulated import program, run
from traced import equal, held, no_trouble

EXPECTED = """\
default qsort: libc.so.6
next qsort: libc.so.6
default missing: nothing; undefined symbol: gmt_no_such_name
next missing: nothing; undefined symbol: gmt_no_such_name
default cuMemAlloc_v2 without a driver: nothing; undefined symbol: cuMemAlloc_v2
next_of: next_first.so
a library's next shared_by_both: next_second.so
a library's next missing: nothing; undefined symbol: gmt_no_such_name
handle cuMemAlloc_v2: DRIVER
handle cuNoSuchFunction: nothing; undefined symbol: cuNoSuchFunction
default cuMemAlloc_v2 with a local driver: nothing; undefined symbol: cuMemAlloc_v2
default cuMemAlloc_v2 with a driver: DRIVER
done
"""

native = run(program("looks_up"), trace=False)
equal((native.status, native.out), (0, EXPECTED.replace("DRIVER", "libcuda.so.1")), f"without the tracer ({native.err})")
traced = run(program("looks_up"))
equal((traced.status, traced.out), (0, EXPECTED.replace("DRIVER", "libgpumemtrace.so")), f"with the tracer ({traced.err})")
equal(held(traced.trace), (12345, 1), "what is held")
no_trouble(traced.trace)

"""The entry code of the simulated driver, without the tracer and with its wrappers before it."""
from emulated import program, run
from traced import equal, held, no_trouble

EXPECTED = """\
launch: 0
launch in the default stream: 0
launch in no stream: 400
launch of too much: 1
launch with too much memory: 1
without a body: 801
fill: 7 7 0 0
"""

for trace in (False, True):
    done = run(program("driver_calls"), trace=trace)
    equal((done.status, done.out, done.err), (0, EXPECTED, ""), f"with the tracer: {trace}")
equal(held(done.trace), (0, 2), "what is held: no memory, its stream and its module")
no_trouble(done.trace)

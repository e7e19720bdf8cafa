"""Each ABI variant must reach the driver function of exactly its name, with every argument in its place."""
from traced import equal, fixture, same

outcome = same(fixture("calls_variants"), driver=fixture("coded"), timeout=10)
lines = outcome.out.splitlines()
equal(sum("arguments whole" in line for line in lines), 11, "context creations with whole arguments")
equal(sum("DAMAGED" in line for line in lines), 0, "damaged arguments")
for code in range(1001, 1021):
    equal(sum(line.endswith(f" {code}") for line in lines), 2, f"calls that returned {code}")
assert "11030: 0x2222" in lines and "12000: 0x3333" in lines and "13000: 0x4444" in lines, lines
calls = outcome.trace["calls"]
equal([calls[f"cuCtxCreate{v}"] for v in ("", "_v2", "_v3", "_v4")], [2, 3, 3, 3], "context creations seen, by variant")

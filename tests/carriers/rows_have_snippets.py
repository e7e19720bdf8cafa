"""Which followed functions that take memory, give it back or end a context no snippet uses: those rows are walked through
every door (tests/hook), but no program of another kind carries them. Named as skipped, so that a new row is not forgotten."""
import os
import re

from carriers import TABLE
from traced import SOURCE, check, skip

RULES = ("ALLOC", "FREE", "CONTEXT_RELEASED", "CONTEXT_DESTROYED", "PRIMARY_RELEASED", "PRIMARY_RESET")
with open(os.path.join(SOURCE, "src", "hook", "entry_points.def"), encoding="utf-8") as table:
    text = table.read()
rules = dict(re.findall(r"^GMT_ENTRY\(\w+, (\w+), .*?, (\w+)(?:\(.*\))?\)$", text, re.MULTILINE))
check(len(rules) == len(re.findall(r"^GMT_ENTRY\(", text, re.MULTILINE)), "entry_points.def has a row that this script does not understand")
carried = {name for snippet in TABLE["snippets"].values() for name in snippet["calls"]}
check(carried <= set(rules), f"snippets count calls of functions that are no rows: {sorted(carried - set(rules))}")
check({rules[name] for name in carried} >= set(RULES), "a rule that no snippet reaches")
left_out = sorted(name for name, rule in rules.items() if rule in RULES and name not in carried)
if left_out:
    skip("no snippet uses " + ", ".join(left_out))

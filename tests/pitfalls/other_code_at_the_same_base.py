"""dlclose A, dlopen B at the same base: equal program counters mean other code, and other frame sizes, from then on."""
import os

from traced import SANITIZE, equal, fixture, same, skip

outcome = same(fixture("loads_two_at_one_base"))
sites = {}
for site in outcome.trace["sites"]:
    sites[site["live_bytes"]] = (os.path.basename(site["stack"][0][0]), site["stack"][0][1], len(site["stack"]))
equal(sorted(sites), [1000, 2000, 4000], "bytes by site")
equal([sites[n][0] for n in (1000, 2000, 4000)], [f"plugin_{s}_frame.so" for s in ("small", "large", "small")], "plug-ins")
if not SANITIZE:  # which put other instructions around frames of other sizes
    equal({site[1:] for site in sites.values()}, {sites[1000][1:]}, "offset of the call and depth of the stack, alike in all")
if outcome.out != "2 of 2 at the same base\n":
    skip("the loader gave the plug-ins different bases: " + outcome.out.strip())

"""Judges one run of a carrier with a snippet against tests/carriers/table.json."""
import json
import os

from traced import FIXTURES, SANITIZE, SIMULATOR, SOURCE, TSAN, check, equal

with open(os.path.join(SOURCE, "tests", "carriers", "table.json"), encoding="utf-8") as file:
    TABLE = json.load(file)


def needs_runtime(carrier):
    return carrier.get("needs", carrier["api"]) == "runtime"


def is_built(carrier):
    paths = [os.path.join(FIXTURES, "carriers", name) for name in (carrier["argv"][0], carrier.get("library", carrier["argv"][0]))]
    runtime = os.path.join(SIMULATOR, "libcudart.so.13")
    return all(map(os.path.exists, paths)) and (not needs_runtime(carrier) or os.path.exists(runtime))


def rows():
    """(carrier, name of a snippet) for each run of the table. Sanitizers refuse RTLD_DEEPBIND, and
    TSan dies with a library that is unloaded before the handlers it registered."""
    carriers = [carrier for carrier in TABLE["carriers"] if not SANITIZE or "deep" not in carrier["name"]]
    if TSAN:
        carriers = [carrier for carrier in carriers if not ("library" in carrier and needs_runtime(carrier))]
    return [(carrier, snippet) for carrier in carriers for snippet in carrier.get("snippets", TABLE["snippets"])
            if carrier["api"] in TABLE["snippets"][snippet]]


def command(carrier, snippet):
    program, mode = carrier["argv"]
    return [os.path.join(FIXTURES, "carriers", program), mode, snippet] + ([carrier["library"]] if "library" in carrier else [])


def by_kind(trace, states):
    """[bytes, blocks] of each kind that are in one of these states."""
    sums = {}
    for block in trace["blocks"]:
        if block["state"] in states:
            held = sums.setdefault(trace["sites"][block["site"]]["kind"], [0, 0])
            held[0] += block["bytes"]
            held[1] += 1
    return sums


def judge_trace(traces, carrier, snippet, what):
    """The trace that the run must leave: bytes and blocks by kind, doors, failures, each block and call recorded once."""
    wanted = TABLE["snippets"][snippet]
    if not carrier["seen"]:
        equal(len(traces), 0, f"{what}: traces of a carrier that is not seen")
        return
    equal(len(traces), 1, f"{what}: traces")
    trace = traces[0]
    equal(by_kind(trace, ("live", "freeing", "ended")), wanted["left"], f"{what}: left, by kind")
    equal(trace["taken"], wanted["taken"], f"{what}: blocks recorded")
    equal((trace["bypassed"], trace["troubles"]), (0, {}), f"{what}: bypassed and troubles")
    if carrier["api"] == "driver":  # a runtime ends its context at exit, and all that is left in it
        equal(by_kind(trace, ("ended",)), wanted.get("ended", {}), f"{what}: ended with their contexts, by kind")
    calls = wanted["calls"] if carrier["api"] == "driver" else wanted.get("runtime_calls", {})
    equal({name: trace["calls"].get(name, 0) for name in calls}, calls, f"{what}: calls")
    failures = {}
    for failure in trace["failures"]:
        failures[failure["kind"]] = failures.get(failure["kind"], 0) + failure["count"]
    equal(failures, wanted.get("failures", {}), f"{what}: failures")
    check(sum(client[carrier["door"]] for client in trace["clients"]) > 0, f"{what}: nobody came through {carrier['door']}")


def judge_report(process, carrier, snippet, what):
    """A process of a JSON report: what was never freed, under the names that the program used."""
    wanted = TABLE["snippets"][snippet][carrier.get("names", carrier["api"])]
    sites = {site["id"]: site for site in process["sites"]}
    named = {}
    for leak in process["leaks"]:
        held = named.setdefault(sites[leak["site"]]["api"], [0, 0])
        held[0] += leak["bytes"]
        held[1] += leak["count"]
    equal(named, wanted, f"{what}: leaks in the report, by function")

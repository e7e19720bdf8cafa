"""The examples run on the simulated device under the tracer for aarch64; this machine's command reads the traces. Names,
lines and bytes are those of the source, also where pages are larger than here."""
import json
import os
import subprocess
import tempfile

from emulated import BUILD, run
from traced import COMMAND, SOURCE, equal

MIB = 1 << 20


def line_of(example, text):
    """The one line of an example's code that holds `text`."""
    with open(os.path.join(SOURCE, "examples", example + ".c"), encoding="utf-8") as source:
        lines = [number for number, line in enumerate(source, 1) if text in line]
    equal(len(lines), 1, f"lines with {text!r} in {example}.c")
    return lines[0]


def own_frames(example, stack):
    return [(frame["function"], frame["line"]) for frame in stack if frame["file"] == f"examples/{example}.c"]


def report(example, out, page_bytes):
    with tempfile.TemporaryDirectory() as folder:
        done = run(os.path.join(BUILD, "examples", example), options="keep=1:render=none:oom_reports=0", folder=folder,
                   page_bytes=page_bytes)
        equal((done.status, done.out, done.err), (0, f"{example}: {out}\n", ""), example)
        text = subprocess.run([COMMAND, "report", "-f", "json", folder], check=True, stdout=subprocess.PIPE).stdout
    process = json.loads(text)["processes"][0]
    equal(process["process"]["exe"], os.path.join(BUILD, "examples", example), "the program")
    equal(process["simulated"], True, "the simulated device")
    return process


def expect(example, out, leaks, peak, page_bytes=4096):
    """`leaks`: (API, bytes, blocks, [(function, text of its line)])."""
    process = report(example, out, page_bytes)
    found = [(process["sites"][leak["site"]]["api"], leak["bytes"], leak["count"],
              own_frames(example, process["sites"][leak["site"]]["stack"])) for leak in process["leaks"]]
    wanted = [(api, size, count, [(name, line_of(example, text)) for name, text in stack]) for api, size, count, stack in leaks]
    equal(found, wanted, f"leaks of {example}")
    equal(process["devices"][0]["peak_bytes"], peak, f"peak of {example}")
    for site in process["sites"]:
        equal(site["stack_complete"], True, f"a stack of {example}")
    return process


for bytes_of_page in (4 << 10, 64 << 10):
    expect("leak", "100 frames, 10 damaged",
           [("cudaMalloc", 40 * MIB, 10, [("process", "cudaMalloc(&device_frame"), ("main", "if (process(frame)")])], 40 * MIB,
           bytes_of_page)
expect("pool", "20 steps", [("cudaMallocFromPoolAsync", 16 * MIB, 1, [("main", "cudaMallocFromPoolAsync(&history")])], 144 * MIB)
expect("fragment", "32 KiB in 32 blocks hold 64 MiB of the device",
       [("cudaMalloc", 32 << 10, 32, [("main", "cudaMalloc(&blocks[i]")])], 64 * MIB)
failure = expect("oom", "did not fit at first, fitted after half of the cache was dropped", [], 6272 * MIB)["oom"]
equal([(oom["api"], oom["request_bytes"], oom["recovered"], own_frames("oom", oom["stack"])) for oom in failure],
      [("cudaMalloc", 3584 * MIB, True, [("main", line_of("oom", "error = cudaMalloc(&work, PARTS"))])], "what did not fit")

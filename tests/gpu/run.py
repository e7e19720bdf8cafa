#!/usr/bin/env python3
"""Runs real CUDA programs with and without the tracer and compares.

    tests/gpu/run.py --build DIR [--out DIR] [--toolkits DIR] [--simulate SIZE] [CASE...]

DIR is a build folder (bin/gpumemtrace, lib/libgpumemtrace.so, examples/). Each program is run alone and then under a bare
preload: standard output and exit code must be the same, and the trace must agree with what the program says of itself in
lines "EXPECT key=value ...". With --simulate the programs that need no GPU run on the simulated device, to try this script.
Writes outcomes.json and table.md into --out; ends with "N passed, N failed, N skipped". Missing programs and packages are
"skipped", never "passed".
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
QUIET = {"NCCL_NVLS_ENABLE": "0", "TORCH_SYMM_MEM_DISABLE_MULTICAST": "1", "NVSHMEM_DISABLE_NVLS": "1"}
TIMEOUT = 300


class Skip(Exception):
    """A case that cannot run here, and why."""


class Bench:
    """Paths and environment shared by all cases."""

    def __init__(self, options):
        self.build = pathlib.Path(options.build).resolve()
        self.out = pathlib.Path(options.out).resolve()
        self.simulate = options.simulate
        self.toolkits = pathlib.Path(options.toolkits).resolve()
        self.cuda = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))
        self.out.mkdir(parents=True, exist_ok=True)
        self.programs = pathlib.Path(options.work).resolve()
        self.programs.mkdir(parents=True, exist_ok=True)

    def environment(self, extra):
        env = dict(os.environ, **QUIET, **extra)
        paths = [str(self.cuda / "lib64"), env.get("LD_LIBRARY_PATH", "")]
        env["LD_LIBRARY_PATH"] = ":".join(p for p in paths if p)
        return env

    def preloads(self, traced, runtime):
        libraries = [str(self.build / "lib/libgpumemtrace.so")] if traced else []
        if self.simulate:
            libraries += [str(self.build / "lib/simulator" / name) for name in ("libcuda.so.1", runtime)]
        return ":".join(libraries)

    def run(self, command, traced, extra, trace_options=""):
        env = self.environment(extra)
        preload = self.preloads(traced, env.pop("SIMULATED_RUNTIME", "libcudart.so.13"))
        if preload:
            env["LD_PRELOAD"] = preload
        if self.simulate:
            env["GPUMEMTRACE_SIMULATE"] = self.simulate
        if traced:
            env["GPUMEMTRACE_OPTIONS"] = trace_options
        started = time.monotonic()
        result = subprocess.run(command, env=env, capture_output=True, text=True, errors="replace", timeout=TIMEOUT,
                                cwd=self.programs)
        result.seconds = time.monotonic() - started
        return result

    def compile(self, command):
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            raise RuntimeError(" ".join(map(str, command)) + "\n" + result.stderr)


def need(condition, reason):
    if not condition:
        raise Skip(reason)


def expectations(stdout):
    found = {}
    for line in stdout.splitlines():
        if line.startswith("EXPECT ") and not line.startswith("EXPECT kind="):
            for word in line.split()[1:]:
                key, value = word.split("=")
                found[key] = int(value)
    return found


def sites_of(process):
    return process.get("sites", [])


def live_of_kinds(process, kinds):
    return sum(site["live_bytes"] for site in sites_of(process) if site["kind"] in kinds)


def held_by(part, kinds, process):
    """Bytes of these kinds never given back, whose stacks go through a module with `part` in its path."""
    by_site = {site["id"]: site for site in sites_of(process)}
    return sum(leak["bytes"] for leak in process.get("leaks", []) if leak["kind"] in kinds
               and any(part in (f.get("module") or "") for f in by_site[leak["site"]]["stack"]))


def taken_by(part, kinds, process):
    """The same for all that was ever taken."""
    return sum(site["total_bytes"] for site in sites_of(process) if site["kind"] in kinds
               and any(part in (f.get("module") or "") for f in site["stack"]))


def check_one(key, wanted, process):
    """None when the process's report agrees with EXPECT key=wanted, else a sentence."""
    leaks = process.get("leaks", [])
    sites = sites_of(process)
    device = next((d for d in process.get("devices", []) if d["ordinal"] == 0), {})
    by_site = {site["id"]: site for site in sites}
    if key == "leaked_count":
        got = sum(leak["count"] for leak in leaks)
    elif key == "leaked_bytes":
        got = sum(leak["bytes"] for leak in leaks)
    elif key.startswith("api:"):
        got = sum(leak["bytes"] for leak in leaks if by_site[leak["site"]]["api"] == key[4:])
    elif key.startswith("objects:"):
        got = sum(o["live_count"] for o in process["objects"] if o["kind"] == key[8:])
    elif key.startswith("state:"):
        got = sum(leak["count"] for leak in leaks if leak["state"] == key[6:])
    elif key == "peak_device_bytes":
        got = device.get("peak_bytes")
    elif key == "nccl_took_some":
        got = int(any("nccl" in (f.get("module") or "") for site in sites if site["kind"] == "physical"
                      for f in site["stack"]))
    elif key in ("device0_live", "device1_live"):
        got = sum(leak["bytes"] for leak in leaks if by_site[leak["site"]]["device"] == int(key[6]))
    elif key == "device1_total":
        got = sum(site["total_bytes"] for site in sites if site["device"] == 1 and site["total_bytes"])
    elif key == "oom":
        got = len(process.get("oom", []))
    elif key == "stray":
        got = sum(call["count"] for call in process.get("failed_calls", []) if call["kind"] == "stray")
    elif key == "caching_reserved":
        got = held_by("c10", ("device",), process)
    elif key == "async_live":
        got = sum(leak["bytes"] for leak in leaks if by_site[leak["site"]]["kind"] == "stream_ordered")
    elif key == "peak_device_bytes_at_least":
        got = wanted if device.get("peak_bytes", 0) >= wanted else device.get("peak_bytes")
    elif key == "pool_total":
        got = held_by("cupy", ("device",), process)
    elif key == "site_bytes":
        got = wanted if any(site["total_bytes"] == wanted for site in sites) else None
    elif key == "some_live":
        got = int(sum(site["total_bytes"] for site in sites) > 0)
    elif key == "physical_reserved":
        got = held_by("c10", ("physical",), process)
    elif key == "jax_pool":
        got = taken_by("xla", ("physical",), process)
    else:
        return f"this script does not know EXPECT {key}"
    return None if got == wanted else f"{key}: the program says {wanted}, the report {got}"


def run_case(bench, command, extra=None):
    """Native run, traced run, comparison. Returns (problems, facts)."""
    extra = extra or {}
    report = bench.out / "report.json"
    report.unlink(missing_ok=True)
    traces = bench.programs / "traces"
    shutil.rmtree(traces, ignore_errors=True)
    native = bench.run(command, False, extra)
    traced = bench.run(command, True, extra, f"dir={traces}:keep=1:format=json:output={report}")
    problems = []
    if native.returncode != traced.returncode:
        problems.append(f"exit code {native.returncode} became {traced.returncode}: {traced.stderr[-400:]}")
    if native.stdout != traced.stdout:
        problems.append(f"output changed from {native.stdout[-300:]!r} to {traced.stdout[-300:]!r}")
    if native.returncode != 0:
        problems.append(f"the program fails by itself: {native.stderr[-400:]}")
    files = sorted(traces.glob("*.gmt")) if traces.exists() else []
    facts = {"trace_files": len(files), "native_s": round(native.seconds, 2), "traced_s": round(traced.seconds, 2),
             "stderr": traced.stderr[-1500:]}
    if not report.exists():
        problems.append("no report was written: " + traced.stderr[-400:])
        return problems, facts
    document = json.loads(report.read_text())
    process = document["processes"][0]
    if len(files) != 1:
        problems.append(f"{len(files)} trace files instead of 1: helper processes must be silent")
    for key, wanted in expectations(traced.stdout).items():
        problem = check_one(key, wanted, process)
        if problem:
            problems.append(problem)
    top = sorted(sites_of(process), key=lambda s: -s["total_bytes"])[:5]
    facts["tracked"] = {api: sum(s["total_bytes"] for s in sites_of(process) if s["api"] == api)
                        for api in sorted({s["api"] for s in sites_of(process)})}
    facts["stack"] = [f"{f.get('function')} {f.get('file') or f.get('module')}:{f.get('line')}"
                      for f in (top[0]["stack"][:8] if top else [])]
    facts["coverage"] = process.get("coverage")
    return problems, facts


def build_program(bench, name, flags=(), suffix=""):
    source = next(HERE.joinpath("programs").glob(name + ".c*"))
    target = bench.programs / (name + suffix)
    include, lib = bench.cuda / "include", bench.cuda / "lib64"
    if source.suffix == ".cu":
        need(shutil.which("nvcc") or (bench.cuda / "bin/nvcc").exists(), "nvcc is not installed")
        compiler = shutil.which("nvcc") or str(bench.cuda / "bin/nvcc")
        bench.compile([compiler, "-g", "-O1", "-o", target, source, *flags])
    else:
        bench.compile(["gcc", "-g", "-O1", f"-I{include}", "-o", target, source, f"-L{lib}", f"-L{lib}/stubs", *flags])
    return target


def python_case(name, package, env=None):
    def case(bench):
        need(not bench.simulate, "needs a GPU")
        found = subprocess.run([sys.executable, "-c", f"import {package}"], capture_output=True)
        need(found.returncode == 0, f"the Python package {package} is not installed")
        return run_case(bench, [sys.executable, str(HERE / "programs" / name)], env)

    return case


def runtime_case(kind, *arguments):
    def case(bench):
        need(not (bench.simulate and kind == "static"), "static cudart cannot run on the simulated device")
        program = build_program(bench, "runtime_families", ["-cudart", kind], "_" + kind)
        return run_case(bench, [str(program), *arguments])

    return case


def older_runtime(version):
    """A C program compiled against the headers of an older runtime and run with its shared library."""

    def case(bench):
        toolkit = bench.toolkits / version
        need(toolkit.exists(), f"no headers and library of CUDA {version} in {bench.toolkits}")
        library = next((toolkit / "lib").glob("libcudart.so.*"))
        program = bench.programs / f"each_runtime_{version}"
        bench.compile(["gcc", "-g", "-O1", f"-I{toolkit}/include", "-idirafter", bench.cuda / "include", "-o", program,
                       HERE / "programs/each_runtime.c", library, f"-Wl,-rpath,{library.parent.resolve()}"])
        return run_case(bench, [str(program)], {"SIMULATED_RUNTIME": library.name})

    return case


def two_devices(bench):
    """One process on two devices."""
    extra = {"GPUMEMTRACE_SIMULATE_DEVICES": "2"} if bench.simulate else {}
    program = build_program(bench, "multi_gpu", ["-lcudart"])
    need(bench.run([str(program)], False, extra).returncode != 77, "needs two devices")
    return run_case(bench, [str(program)], extra)


def driver_case(name, *flags):
    return lambda bench: run_case(bench, [str(build_program(bench, name, flags))])


def leak_example(kind, *flags):
    """examples/leak under the gate: exit 23 and a named line."""

    def case(bench):
        need(not (bench.simulate and kind == "static"), "static cudart cannot run on the simulated device")
        source = HERE.parent.parent / "examples/leak.c"
        program = bench.programs / f"leak_{kind}{''.join(flags)}"
        library = ["-lcudart"] if kind == "shared" else ["-lcudart_static", "-ldl", "-lrt", "-lpthread"]
        bench.compile(["gcc", "-g", *(flags or ["-O1"]), f"-I{bench.cuda}/include", "-o", program, source,
                       f"-L{bench.cuda}/lib64", *library])
        command = [str(bench.build / "bin/gpumemtrace"), "run", "--leak-check"]
        if bench.simulate:
            command += ["--simulate", bench.simulate]
        result = subprocess.run([*command, "--", str(program)], env=bench.environment({}), capture_output=True, text=True)
        problems = []
        if result.returncode != 23:
            problems.append(f"exit code {result.returncode}, not 23")
        for word in ("LEAK", "leak.c:", "cudaMalloc"):
            if word not in result.stderr:
                problems.append(f"the report does not say {word}")
        return problems, {"stderr": result.stderr[-3000:]}

    return case


def kind_problem(kind, words, process):
    """None when the report names the one thing that leak_each_kind left, else a sentence."""
    by_site = {site["id"]: site for site in sites_of(process)}
    if words["kind"] == "context":
        things = [(c["created_by"]["api"], 1, None, None, c["created_by"]["stack"]) for c in process["contexts"]
                  if not c["primary"] and c["state"] == "live"]
    elif words["state"] == "-":
        things = [(by_site[o["site"]]["api"], o["live_count"], None, None, by_site[o["site"]]["stack"])
                  for o in process["objects"] if o["kind"] == words["kind"] and o["live_count"]]
    else:
        things = [(by_site[leak["site"]]["api"], leak["count"], leak["bytes"], leak["state"], by_site[leak["site"]]["stack"])
                  for leak in process["leaks"] if leak["kind"] == words["kind"]]
    wanted = (words["api"], int(words["count"]), None if words["bytes"] == "-" else int(words["bytes"]),
              None if words["state"] == "-" else words["state"])
    for thing in things:
        if thing[:4] == wanted:
            named = any((f.get("function") or "").startswith("leak_") and f.get("line") for f in thing[4])
            return None if named else "the stack does not name the function and line"
    return f"wanted {wanted}, the report has {[thing[:4] for thing in things]}"


def sanitizer_says(bench, command):
    """What compute-sanitizer's leak check says of a program: bytes and count of its summary."""
    result = subprocess.run(["compute-sanitizer", "--tool", "memcheck", "--leak-check", "full", *command],
                            env=bench.environment({}), capture_output=True, text=True, errors="replace", timeout=TIMEOUT)
    lines = [line for line in (result.stdout + result.stderr).splitlines() if "LEAK SUMMARY" in line]
    return lines[-1].split("LEAK SUMMARY:")[1].strip() if lines else "no summary"


def each_kind(bench):
    """One program for each kind, which leaks one thing: named by the tracer, and what compute-sanitizer says of it."""
    program = build_program(bench, "leak_each_kind", ["-lcudart", "-lcuda"])
    listed = bench.run([str(program), "list"], False, {}).stdout.split()
    compare = shutil.which("compute-sanitizer") and not bench.simulate

    def one(kind):
        report = bench.out / f"kind_{kind}.json"
        result = bench.run([str(program), kind], True, {},
                           f"dir={bench.programs}/traces_{kind}:format=json:output={report}")
        line = next((l for l in result.stdout.splitlines() if l.startswith("EXPECT kind=")), None)
        if not line:
            return kind, "skipped" if result.returncode == 77 else "failed", result.stdout.strip() + result.stderr[-300:], ""
        words = dict(word.split("=") for word in line.split()[1:])
        process = json.loads(report.read_text())["processes"][0]
        report.unlink()
        problem = kind_problem(kind, words, process)
        return kind, "failed" if problem else "passed", problem or line[7:], \
            sanitizer_says(bench, [str(program), kind]) if compare else ""

    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() // 2 or 1) as pool:
        rows = list(pool.map(one, listed))
    problems = [f"{kind}: {text}" for kind, outcome, text, _ in rows if outcome == "failed"]
    table = ["| kind | outcome | the report says | compute-sanitizer says |", "|---|---|---|---|"]
    table += ["| " + " | ".join(row) + " |" for row in rows]
    (bench.out / "kinds.md").write_text("\n".join(table) + "\n")
    if not rows:
        problems.append("the program lists no kinds")
    return problems, {"kinds": rows}


def cost(bench):
    """Added time per allocation pair; absolute numbers are kept, the bars are checked."""
    need(not bench.simulate, "needs a GPU")
    program = build_program(bench, "pair_cost", ["-O2", "-lcudart"])
    variants = {"native": [], "traced": [], "traced, stacks=0": [], "traced, off=1": []}
    for name in list(variants) * 3:
        options = "render=none" + (":" + name.split(", ")[1] if ", " in name else "")
        result = bench.run([str(program)], name != "native", {}, options)
        line = next(line for line in result.stdout.splitlines() if line.startswith("COST "))
        variants[name].append({word.split("=")[0]: float(word.split("=")[1]) for word in line.split()[1:]})
    best = {name: {key: min(time[key] for time in times) for key in times[0]} for name, times in variants.items()}
    native, traced = best["native"], best["traced"]
    added = {key: traced[key] - native[key] for key in native}
    problems = []
    if added["async_pair"] > 250:
        problems.append(f"a cudaMallocAsync pair costs {added['async_pair']:.0f} ns more; the bar is 250")
    if added["sync_pair"] > max(250, 0.06 * native["sync_pair"]):
        problems.append(f"a cudaMalloc pair costs {added['sync_pair']:.0f} ns more; the bar is 250 or 6 %")
    queries = bench.run([str(build_program(bench, "query_cost", ["-O2", "-lcuda"]))], False, {}).stdout.splitlines()
    return problems, {"best_ns": best, "added_ns": added, "queries": queries}


def unwinder_in_pytorch(bench):
    """The unwinder against the compiler's at every malloc of a training run, and what a frame costs."""
    need(not bench.simulate, "needs a GPU")
    preload, benchmark = bench.build / "lib/libcompare_preload.so", bench.build / "tests/bench_unwind"
    need(preload.exists() and benchmark.exists(), "the unwinder's test programs were not built")
    output = bench.programs / "compare"
    output.unlink(missing_ok=True)
    env = bench.environment({"LD_PRELOAD": str(preload), "COMPARE_OUTPUT": str(output), "COMPARE_WAIT": "1",
                             "LD_BIND_NOW": "1"})
    subprocess.run([sys.executable, str(HERE / "programs/torch_train.py")], env=env, capture_output=True, timeout=TIMEOUT)
    words = [line.split() for line in output.read_text().splitlines() if line.startswith("stacks")]
    totals = {key: sum(int(w[w.index(key) + 1]) for w in words) for key in ("stacks", "frames", "different", "shorter", "known", "mistaken")}
    table = subprocess.run([str(benchmark)], capture_output=True, text=True).stdout
    problems = []
    if totals["different"] or totals["shorter"] or totals["mistaken"] or totals["stacks"] < 10000:
        problems.append(f"the unwinders disagree: {totals}" + "\n".join(output.read_text().splitlines()[:60]))
    return problems, {"totals": totals, "ns_per_frame": table.splitlines()}


def simulators_tests(bench):
    """The tests of the simulated device that hold on a real one too, on it."""
    need(not bench.simulate, "needs a GPU")
    programs = sorted(path for path in (bench.build / "tests").glob("simulator.*") if path.is_file())
    need(programs, "the tests of the simulated device were not built")
    path = str(bench.build / "lib") + ":" + bench.environment({})["LD_LIBRARY_PATH"]  # cmocka may lie beside the build
    problems, facts = [], {}
    for program in programs:
        try:
            result = subprocess.run([sys.executable, str(HERE.parent / "simulator/on_gpu.py"), str(program)],
                                    env=dict(os.environ, **QUIET, LD_LIBRARY_PATH=path), capture_output=True, text=True,
                                    errors="replace", timeout=30)
        except subprocess.TimeoutExpired as late:
            said = (late.stdout or b"").decode(errors="replace").splitlines()
            problems.append(f"{program.name} did not end: " + " / ".join(said[-2:]))
            continue
        failed = [line for line in (result.stdout + result.stderr).splitlines()
                  if "ERROR" in line or "LINE" in line or "FAILED  " in line]
        facts[program.name] = result.returncode
        if result.returncode:
            problems.append(f"{program.name} ended with {result.returncode}: " + " / ".join(failed[:12]))
    return problems, facts


def driver_facts(bench):
    """What the driver does where its documentation is silent: kept as facts.txt, to be read."""
    sources = sorted(HERE.joinpath("programs/facts").glob("*.c"))
    program = bench.programs / "driver_facts"
    bench.compile(["gcc", "-std=gnu11", "-O1", f"-I{bench.cuda}/include", HERE / "programs/driver_facts.c", *sources,
                   "-ldl", "-o", program])
    library, late = bench.programs / "liblate_free.so", bench.programs / "late_free"
    source = HERE / "programs/late_free.c"
    bench.compile(["gcc", "-DLATE_LIBRARY", "-shared", "-fPIC", source, "-o", library])
    bench.compile(["gcc", f"-I{bench.cuda}/include", source, "-o", late, f"-L{bench.cuda}/lib64", "-lcudart", library,
                   "-Wl,-rpath,$ORIGIN"])
    texts = [bench.run([str(command)], traced, {}, "render=none" if traced else "") for command, traced in
             ((program, False), (late, False))]
    (bench.out / "facts.txt").write_text("".join(text.stdout + text.stderr for text in texts))
    traced = bench.run([str(late)], True, {}, "full_stacks=1")
    (bench.out / "late_report.txt").write_text(traced.stdout + traced.stderr)
    return [], {"lines": sum(text.stdout.count("fact ") for text in texts)}


def naming_pytorch(bench):
    """Naming the call sites of a PyTorch process: at most 3 s and 1 GiB."""
    need(not bench.simulate, "needs a GPU")
    traces = bench.programs / "named"
    shutil.rmtree(traces, ignore_errors=True)
    bench.run([sys.executable, str(HERE / "programs/torch_train.py")], True, {}, f"dir={traces}:keep=1:render=none")
    trace = next(traces.glob("*.gmt"))
    started = time.monotonic()
    child = subprocess.Popen([str(bench.build / "bin/gpumemtrace"), "report", str(trace)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds, peak = time.monotonic() - started, usage.ru_maxrss / 1024
    problems = [f"exit status {status}"] if status else []
    if seconds > 3:
        problems.append(f"{seconds:.1f} s")
    if peak > 1024:
        problems.append(f"{peak:.0f} MiB")
    return problems, {"seconds": round(seconds, 2), "peak_mib": round(peak)}


CASES = {
    "cost of allocation pairs, 25 frames": cost,
    "runtime API, nvcc, shared cudart": runtime_case("shared"),
    "runtime API, nvcc, static cudart": runtime_case("static"),
    "runtime API, device reset, shared cudart": runtime_case("shared", "reset"),
    "runtime API, device reset, static cudart": runtime_case("static", "reset"),
    "facts about the driver": driver_facts,
    "tests of the simulated device, on the real one": simulators_tests,
    "one leak of each kind": each_kind,
    "two devices": two_devices,
    "C program, headers and runtime of CUDA 11.8": older_runtime("11.8"),
    "C program, headers and runtime of CUDA 12.9": older_runtime("12.9"),
    "driver API by link": driver_case("driver_link", "-lcuda"),
    "driver API by dlopen and dlsym": driver_case("driver_dlopen", "-ldl"),
    "examples/leak, shared cudart, gate": leak_example("shared"),
    "examples/leak, static cudart, gate": leak_example("static"),
    "examples/leak, static cudart, -O2 -fomit-frame-pointer": leak_example("static", "-O2", "-fomit-frame-pointer"),
    "unwinder in PyTorch, against the compiler's": unwinder_in_pytorch,
    "naming PyTorch's call sites": naming_pytorch,
    "PyTorch, default allocator": python_case("torch_train.py", "torch"),
    "PyTorch, expandable_segments": python_case("torch_train.py", "torch",
                                                {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"}),
    "PyTorch, cudaMallocAsync": python_case("torch_train.py", "torch",
                                            {"PYTORCH_CUDA_ALLOC_CONF": "backend:cudaMallocAsync"}),
    "NCCL, a communicator": python_case("torch_nccl.py", "torch"),
    "JAX": python_case("jax_matmul.py", "jax"),
    "CuPy": python_case("cupy_sum.py", "cupy"),
    "Numba": python_case("numba_add.py", "numba"),
    "Triton": python_case("triton_add.py", "triton"),
}


def table_of(outcomes):
    """The outcomes as a Markdown table."""
    rows = ["| program | outcome | trace files | bytes ever taken, by function | alone, s | traced, s |",
            "|---|---|---|---|---|---|"]
    for outcome in outcomes:
        facts = outcome["facts"]
        tracked = ", ".join(f"{api} {total:,}" for api, total in facts.get("tracked", {}).items())
        cells = [outcome["case"], outcome["outcome"], facts.get("trace_files", ""), tracked, facts.get("native_s", ""),
                 facts.get("traced_s", "")]
        rows.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--out", default="build/gpu-out")
    parser.add_argument("--work", default="build/gpu-work")
    parser.add_argument("--simulate")
    parser.add_argument("--toolkits", default="build/toolkits", help="folders 11.8 and 12.9 with include/ and lib/ of a runtime")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    bench = Bench(options)
    outcomes = []
    for name, case in CASES.items():
        if options.cases and not any(word in name for word in options.cases):
            continue
        try:
            problems, facts = case(bench)
            outcome = "failed" if problems else "passed"
        except Skip as reason:
            outcome, problems, facts = "skipped", [str(reason)], {}
        except Exception as error:  # one broken case must not hide the others
            outcome, problems, facts = "failed", [f"{type(error).__name__}: {error}"], {}
        outcomes.append({"case": name, "outcome": outcome, "problems": problems, "facts": facts})
        print(f"{outcome}: {name}" + "".join(f"\n    {p}" for p in problems), flush=True)
        (bench.out / "outcomes.json").write_text(json.dumps(outcomes, indent=1))  # after each: time may run out
        (bench.out / "table.md").write_text(table_of(outcomes))
    count = {word: sum(o["outcome"] == word for o in outcomes) for word in ("passed", "failed", "skipped")}
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())

"""Memory trouble of many sorts on the simulated device: what the report says of each, and whether the gate minds.

Arguments: the build folder, the program `troubles`, the program `leak_each_kind`.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

BUILD, TROUBLES, EACH_KIND = (os.path.abspath(word) for word in sys.argv[1:4])
COMMAND = os.path.join(BUILD, "bin", "gpumemtrace")
LEAKS, CLEAN = 23, 0


class Simulated(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gmt-troubles-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_program(self, *words):
        """Runs the program under the gate; returns the exit code, the text and the JSON report's first process."""
        report = os.path.join(self.folder, "r.json")
        done = subprocess.run([COMMAND, "run", "--simulate", "8GiB", "--leak-check", "-f", "json:" + report, "--", *words],
                              capture_output=True, text=True, check=False, timeout=60)
        with open(report, encoding="utf-8") as file:
            process = json.load(file)["processes"][0]
        self.out = done.stdout
        # Places in the program, as in "troubles.c:12", are left out: the name says it.
        return done.returncode, re.sub(r" \([^ ()]*\btroubles\.c:\d+\)", "", done.stderr), process


class Troubles(Simulated):
    def trouble(self, name, code, *sentences):
        got, self.text, self.process = self.run_program(TROUBLES, name)
        self.assertEqual(got, code, self.text)
        for sentence in sentences:
            self.assertIn(sentence, self.text)

    def test_events(self):
        self.trouble("events", CLEAN, "; still there: 20,000 events; ",
                     "  20,000 events (created 20,000, destroyed 0): cudaEventCreate in events < main\n")

    def test_second_free(self):
        self.trouble("second_free", CLEAN, "was a second free of the same block, once, and returned CUDA_ERROR_INVALID_VALUE (1)\n"
                                           "    > give ", "      it was freed first ", "      it was 1.00 MiB, taken by cudaMalloc:\n"
                                                                                        "    > take ")

    def test_wrong_pointers(self):
        self.trouble("wrong_pointers", CLEAN, "; that is on the calling thread's own stack: the address of a variable\n",
                     "; that is 4.00 KiB into a block, not its start\n", "1.00 MiB, taken by cudaMalloc in take < wrong_pointers < main\n",
                     "; that is memory of the host which no call had taken\n")

    def test_frees_of_null(self):
        self.trouble("frees_of_null", CLEAN, "; 1,500 frees of null")

    def test_stale_registration(self):
        self.trouble("stale_registration", LEAKS, "; the program has unmapped that memory and never unregistered it\n",
                     "      in the way is an earlier registration of 0x700000000000: 1.00 MiB, taken by cudaHostRegister in "
                     "stale_registration < main\n", "      the program has unmapped that memory since, and never unregistered it\n")

    def test_threads(self):
        self.trouble("threads", LEAKS, "      all of them were taken by threads that have ended\n")
        self.assertEqual(sorted(tuple(leak["threads"].values()) for leak in self.process["leaks"]), [(0, 3, 0), (1, 0, 0)])

    def test_early_return(self):
        self.trouble("early_return", LEAKS, "      it was taken right before a call of its thread failed: cudaMemcpy in early_return < "
                                            "main, with CUDA_ERROR_INVALID_VALUE (1)\n")

    def test_reset(self):
        self.trouble("reset", LEAKS, "; still there at the reset of the device, which ended them\n",
                     "      ended by cudaDeviceReset in reset < main, ", "      gone with their context: 1\n")
        self.assertEqual([leak["state"] for leak in self.process["leaks"]], ["ended_by_reset"])

    def test_exported(self):
        self.trouble("exported", CLEAN, "Freed after it had been exported to other processes; whether they have closed it cannot be "
                                        "known\n", "      it had been exported by:\n    > exported ")
        self.assertEqual([call["kind"] for call in self.process["failed_calls"]], ["exported"])

    def test_idle_context(self):
        self.trouble("idle_context", CLEAN, "; 0 bytes were allocated on device 0 (Simulated NVIDIA GPU), whose context was made by "
                                            "cudaFree in idle_context < main\n")
        self.assertEqual(self.text.count("\n"), 1)

    def test_pool_keeps_everything(self):
        self.trouble("pool_keeps_everything", CLEAN, "  Default pool of device 0 (Simulated NVIDIA GPU): ",
                     "      keeps everything: release threshold set ", " by cudaMemPoolSetAttribute in pool_keeps_everything < main\n")

    def test_stack_limit(self):
        self.trouble("stack_limit", CLEAN, "stack of each GPU thread on device 0 (Simulated NVIDIA GPU): from 1.00 KiB to 8.00 KiB, ",
                     ", by cudaDeviceSetLimit in stack_limit < main\n")

    def test_half_a_mapping(self):
        self.trouble("half_a_mapping", LEAKS, "; held by the handle and by the mapping: never released, never unmapped\n",
                     "      1 reference, 1 mapping\n", "      reserved and mapped: 1\n", "      created and mapped, never given access: 1\n",
                     "      made right before a call of its thread failed: 1; cuMemCreate in half_a_mapping < main, with "
                     "CUDA_ERROR_OUT_OF_MEMORY (2)\n")

    def test_counted_references(self):
        self.trouble("counted_references", CLEAN)
        self.assertEqual((self.process["leaks"], self.process["failed_calls"]), ([], []))

    def test_threads_of_a_running_process(self):
        environment = {**os.environ, "GPUMEMTRACE_DIR": self.folder, "GPUMEMTRACE_SIMULATE": "8GiB",
                       "LD_LIBRARY_PATH": os.path.join(BUILD, "lib", "simulator"),
                       "LD_PRELOAD": os.path.join(BUILD, "lib", "libgpumemtrace.so")}
        with subprocess.Popen([TROUBLES, "waits"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as child:
            self.assertEqual(child.stdout.readline(), "ready\n")
            done = subprocess.run([COMMAND, "report", "-f", "json", self.folder], capture_output=True, text=True, check=False,
                                  timeout=60)
            child.kill()
        process = json.loads(done.stdout)["processes"][0]
        self.assertEqual(process["process"]["ended_by"], "running")
        self.assertEqual(sorted(tuple(leak["threads"].values()) for leak in process["leaks"]), [(0, 3, 0), (1, 0, 0)])
        done = subprocess.run([COMMAND, "report", "-f", "json", self.folder], capture_output=True, text=True, check=False,
                              timeout=60)
        process = json.loads(done.stdout)["processes"][0]  # killed: only what was seen before is certain
        self.assertEqual(process["process"]["ended_by"], "gone")
        self.assertEqual(sum(leak["threads"]["alive"] for leak in process["leaks"]), 0)


class EachKind(Simulated):
    """One thing of one kind, never given back: named as the program says it must be."""

    def things(self, process, kind):
        sites = {site["id"]: site["api"] for site in process["sites"]}
        for leak in process["leaks"]:
            if leak["kind"] == kind:
                yield sites[leak["site"]], str(leak["bytes"]), leak["count"], leak["state"]
        for item in process["objects"]:
            if item["kind"] == kind and item["live_count"]:
                yield sites[item["site"]], "-", item["live_count"], "-"
        for context in process["contexts"]:
            if kind == "context" and context["state"] == "live" and not context["primary"]:
                yield context["created_by"]["api"], "-", 1, "-"

    def test_each(self):
        listed = subprocess.run([COMMAND, "run", "--simulate", "8GiB", "-o", os.devnull, "--", EACH_KIND, "list"],
                                capture_output=True, text=True, check=True, timeout=60).stdout.split()
        self.assertGreater(len(listed), 30)
        for name in listed:
            with self.subTest(name):
                _, _, process = self.run_program(EACH_KIND, name)
                expected = next((line for line in self.out.splitlines() if line.startswith("EXPECT ")), None)
                if not expected:
                    print(f"skipped: {name}: {self.out.strip()}")
                    continue
                words = dict(word.split("=") for word in expected.split()[1:])
                self.assertIn((words["api"], words["bytes"], int(words["count"]), words["state"]),
                              list(self.things(process, words["kind"])))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

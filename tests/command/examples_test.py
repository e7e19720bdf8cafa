"""The whole tool on the examples: preload, simulated device, command. Argument: the build folder.

The figures are counted by hand from the examples' sources.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

BUILD = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
NEEDED = ["bin/gpumemtrace", "lib/libgpumemtrace.so", "lib/simulator/libcuda.so.1", "lib/simulator/libcudart.so.13",
          "lib/simulator/libcudart.so.12", "lib/simulator/libcudart.so.11.0"]
MIB = 1 << 20


class Examples(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="gmt-examples-")
        self.addCleanup(self.folder.cleanup)

    def run_example(self, name, *words):
        """Runs the example under the leak check on 8 GiB; returns the exit code and the JSON report's process."""
        program = os.path.join(BUILD, "examples", name)
        if not os.path.exists(program):
            self.skipTest(f"{name} is not built here")
        report = os.path.join(self.folder.name, "report.json")
        done = subprocess.run([os.path.join(BUILD, "bin", "gpumemtrace"), "run", "--simulate", "8GiB", "--leak-check", "-f",
                               "json:" + report, *words, "--", program], capture_output=True, text=True, check=False, timeout=60)
        self.error = done.stderr
        with open(report, encoding="utf-8") as file:
            self.document = json.load(file)
        self.validate()
        process = self.document["processes"][0]
        self.assertTrue(process["simulated"])
        self.assertEqual(process["coverage"]["bypassed"], 0)
        return done.returncode, process

    def validate(self):
        try:
            import jsonschema
        except ImportError:
            print("skipped: python3-jsonschema is not installed, the report is not checked against its schema")
            return
        with open(os.path.join(HERE, "..", "..", "src", "report", "report.schema.json"), encoding="utf-8") as file:
            jsonschema.Draft202012Validator(json.load(file)).validate(self.document)

    @staticmethod
    def user_frame(site):
        return next(frame for frame in site["stack"] if frame["owner"] == "user")

    def test_a_device_too_small_for_a_context(self):
        """The error names what did not fit, and no request of 0 bytes on no device."""
        code, process = self.run_example("leak", "--simulate", "64MiB")
        self.assertEqual((code, process["verdict"]["result"]), (1, "out_of_memory"))
        self.assertIn("cudaMalloc did not get what cuDevicePrimaryCtxRetain needs\n", self.error)
        self.assertNotIn("0 bytes", self.error)
        self.assertNotIn("no device", self.error)

    def test_leak(self):
        code, process = self.run_example("leak")
        self.assertEqual(code, 23)
        self.assertEqual([(leak["bytes"], leak["count"]) for leak in process["leaks"]], [(40 * MIB, 10)])
        site = next(site for site in process["sites"] if site["id"] == process["leaks"][0]["site"])
        frame = self.user_frame(site)
        self.assertEqual((site["api"], frame["function"], os.path.basename(frame["file"])), ("cudaMalloc", "process", "leak.c"))
        self.assertIn(f"leak.c:{frame['line']}", self.error)
        self.assertIn("on the simulated device", self.error)
        self.assertEqual((site["total_bytes"], site["total_count"]), (400 * MIB, 100))

    def test_peak(self):
        code, process = self.run_example("peak", "--full")
        self.assertEqual((code, process["leaks"]), (0, []))
        # 1,024 MiB of vectors, 768 MiB of index, and a table of three times that beside it
        self.assertEqual(process["devices"][0]["peak_bytes"], 4294967296)
        held = sorted((site["at_peak_bytes"] for site in process["sites"] if site["at_peak_bytes"]), reverse=True)
        self.assertEqual(held, [2415919104, 1073741824, 805306368])
        self.assertIn("< build_index (", self.error)

    def test_oom(self):
        code, process = self.run_example("oom")
        self.assertEqual((code, process["leaks"]), (0, []))
        self.assertEqual(len(process["oom"]), 1)
        oom = process["oom"][0]
        # Six parts of 896 MiB are held, four more are asked for; a context takes 526.8 MiB.
        self.assertEqual((oom["api"], oom["code"], oom["device"], oom["recovered"]), ("cudaMalloc", 2, 0, True))
        self.assertEqual((oom["request_bytes"], oom["free_bytes"], oom["total_bytes"]), (3758096384, 2400387072, 8589934592))
        live = oom["spaces"]["device"]
        self.assertEqual((live["live_bytes"], live["live_count"], live["peak_bytes"]), (5637144576, 6, 5637144576))
        self.assertEqual([(site["live_bytes"], site["live_count"]) for site in oom["sites"]], [(5637144576, 6)])
        # Three parts stay when the work of four is taken.
        self.assertEqual(process["devices"][0]["peak_bytes"], 6576668672)
        self.assertEqual(sorted(site["at_peak_bytes"] for site in process["sites"]), [2818572288, 3758096384])

    def test_pool(self):
        _, process = self.run_example("pool")
        self.assertTrue(any(site["kind"] == "stream_ordered" for site in process["sites"]))

    def test_fragment(self):
        code, process = self.run_example("fragment")
        self.assertEqual(code, 23)
        self.assertEqual([(leak["bytes"], leak["count"]) for leak in process["leaks"]], [(32 * 1024, 32)])

    def test_kernel(self):
        code, process = self.run_example("kernel")
        self.assertIn(code, (0, 23))
        self.assertEqual({site["api"] for site in process["sites"] if site["kind"] == "device"}, {"cudaMalloc"})
        self.assertEqual([(item["kind"], item["implicit"]) for item in process["objects"]], [("library", True)])


if __name__ == "__main__":
    missing = [name for name in NEEDED if not os.path.exists(os.path.join(BUILD, name))]
    if missing:
        print("skipped: not built here:", ", ".join(missing))
        sys.exit(77)
    unittest.main(argv=[sys.argv[0]])

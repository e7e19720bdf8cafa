"""Runs one case of a program of this folder under `gpumemtrace run --simulate` and holds its reports. Argument: the build folder.

The figures in the tests are counted by hand from the programs' sources. `# as in` names public reports of the same trouble.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE)) + "/"  # in front of file names; the tests speak of files as the tree does
BUILD = os.path.abspath(sys.argv[1])
FOLDER = os.path.join(BUILD, "tests", "cases")
SCHEMA = os.path.join(HERE, "..", "..", "src", "report", "report.schema.json")
NEEDED = ["bin/gpumemtrace", "lib/libgpumemtrace.so", "lib/simulator/libcuda.so.1", "lib/simulator/libcudart.so.13",
          "lib/simulator/libcudart.so.12", "lib/simulator/libcudart.so.11.0"]
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


class TracedCase(unittest.TestCase):
    maxDiff = None
    program = None  # of the section

    def run_case(self, case, *words, size="8GiB", script="", status=0, devices=1):
        """Runs the case. `text` is then the text report, `document` the JSON one; returns the process that is in it first."""
        with tempfile.TemporaryDirectory(prefix="gmt-cases-") as folder:
            done = subprocess.run(
                [os.path.join(BUILD, "bin", "gpumemtrace"), "run", "--simulate", size, "-f", "text:" + folder + "/text", "-f",
                 "json:" + folder + "/json", *words, "--", os.path.join(FOLDER, self.program), case],
                env={"PATH": os.environ["PATH"], "HOME": folder, "GPUMEMTRACE_DIR": folder, "GPUMEMTRACE_SIMULATE_SCRIPT": script,
                     "GPUMEMTRACE_SIMULATE_DEVICES": str(devices), "CASES_PLUGIN": os.path.join(FOLDER, "libsessions.so")},
                stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=120, check=False)
            self.error = done.stderr
            self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
            with open(folder + "/text", encoding="utf-8") as file:
                self.text = file.read().replace(TREE, "")
            with open(folder + "/json", encoding="utf-8") as file:
                self.document = json.loads(file.read().replace(TREE, ""))
        self.validate()
        self.process = self.document["processes"][0]
        for process in self.document["processes"]:
            self.assertTrue(process["simulated"])
            self.assertEqual(process["coverage"]["bypassed"], 0)
        return self.process

    def validate(self):
        try:
            import jsonschema
        except ImportError:
            print("skipped: python3-jsonschema is not installed, the report is not checked against its schema")
            return
        with open(SCHEMA, encoding="utf-8") as file:
            jsonschema.Draft202012Validator(json.load(file)).validate(self.document)

    def says(self, *parts):
        """Each part stands in the text report."""
        for part in parts:
            self.assertIn(part, self.text)

    def site(self, item):
        """The call site of a leak, an object or another item with a site."""
        return next(site for site in self.process["sites"] if site["id"] == item["site"])

    @staticmethod
    def functions(stack):
        """The program's own functions, innermost first, up to main."""
        return [frame["function"] for frame in stack if frame["owner"] == "user" and frame["function"] != "_start"]

    def leaks(self):
        """(api, kind, state, count, bytes) of each leak."""
        return [(self.site(leak)["api"], leak["kind"], leak["state"], leak["count"], leak["bytes"])
                for leak in self.process["leaks"]]

    def leak(self):
        """The only leak."""
        self.assertEqual(len(self.process["leaks"]), 1, self.text)
        return self.process["leaks"][0]

    def objects(self):
        """(kind, created, destroyed, live) of what the program made itself."""
        return [(item["kind"], item["created"], item["destroyed"], item["live_count"]) for item in self.process["objects"]
                if not item["implicit"]]

    def object(self, kind):
        """The only site of objects of this kind."""
        found = [item for item in self.process["objects"] if item["kind"] == kind]
        self.assertEqual(len(found), 1, self.text)
        return found[0]

    def failures(self):
        """(api, kind, code, count) of each kind of failed call."""
        return [(call["api"], call["kind"], call["code"], call["count"]) for call in self.process["failed_calls"]]

    def failure(self):
        """The only failed call."""
        self.assertEqual(len(self.process["failed_calls"]), 1, self.text)
        return self.process["failed_calls"][0]

    def oom(self):
        """The only out-of-memory error."""
        self.assertEqual(len(self.process["oom"]), 1, self.text)
        return self.process["oom"][0]

    def assert_clean(self):
        """Nothing is left, nothing failed."""
        self.assertEqual((self.leaks(), self.objects(), self.failures()), ([], [], []), self.text)
        self.assertEqual(self.process["verdict"]["result"], "clean")


def main():
    missing = [name for name in NEEDED if not os.path.exists(os.path.join(BUILD, name))]
    if missing:
        print("skipped: not built here:", ", ".join(missing))
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])

"""What the tests of the command share: a private installation, runs, exact comparisons.

Arguments of each test program: the command, make_trace, the stub tracer. Where the file lies beside this one.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
COMMAND, MAKE_TRACE, STUB = (os.path.abspath(word) for word in sys.argv[1:4])
CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
SCHEMA = os.path.join(HERE, "..", "..", "src", "report", "report.schema.json")


class CommandCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="gmt-command-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.traces = self.path("traces")
        os.mkdir(self.traces)
        self.command = COMMAND
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.folder, "GPUMEMTRACE_DIR": self.traces}
        # A command built with the address sanitizer would refuse to start behind a preload.
        self.environment["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"

    def path(self, name):
        return os.path.join(self.folder, name)

    def install(self, folder="prefix"):
        """The command and the stub as they are installed; later runs use them."""
        for part in ("bin", "lib/simulator"):
            os.makedirs(os.path.join(self.path(folder), part))
        self.command = os.path.join(self.path(folder), "bin", "gpumemtrace")
        shutil.copy(COMMAND, self.command)
        shutil.copy(STUB, os.path.join(self.path(folder), "lib", "libgpumemtrace.so"))
        return self.path(folder)

    def trace(self, sample, size=None, name=None):
        path = self.path(name or sample + ".gmt")
        subprocess.run([MAKE_TRACE, sample, path] + ([str(size)] if size is not None else []), check=True)
        return path

    def run_command(self, *words, timeout=60, **environment):
        done = subprocess.run([self.command, *words], env={**self.environment, **environment}, cwd=self.folder,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)
        self.out, self.error = (text.decode("utf-8", "backslashreplace") for text in (done.stdout, done.stderr))
        return done.returncode

    def assert_refused(self, sentence, *words, code=125, **environment):
        """One line on standard error, nothing on standard output, the exit code."""
        got = self.run_command(*words, **environment)
        self.assertEqual(self.error, "gpumemtrace: " + sentence + "\n")
        self.assertEqual(self.out, "")
        self.assertEqual(got, code)

    def assert_golden(self, name, text):
        with open(os.path.join(HERE, "golden", name), encoding="utf-8") as file:
            self.assertEqual(text, file.read())

    def assert_nothing_left(self):
        self.assertEqual(os.listdir(self.traces), [])

    def validate(self, text):
        """The document, checked against the schema. Skips visibly where the checker is missing."""
        document = json.loads(text)
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        with open(SCHEMA, encoding="utf-8") as file:
            schema = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft202012Validator(schema).validate(document)
        return document


class RunCase(CommandCase):
    def setUp(self):
        super().setUp()
        self.install()

    def run_sample(self, sample, *words):
        """Runs `words` (options, --, program) with the sample as the program's trace."""
        return self.run_command("run", *words, STUB_SAMPLE=sample)

    def program(self, name, data, mode=0o755):
        path = self.path(name)
        with open(path, "wb") as file:
            file.write(data)
        os.chmod(path, mode)
        return path

    def script(self, name, text):
        return self.program(name, text.encode())

    def compile(self, name, source, *flags):
        if not CC:
            self.skipTest("no C compiler")
        path = self.path(name)
        done = subprocess.run([CC, "-x", "c", "-", "-o", path, *flags], input=source.encode(), capture_output=True, check=False)
        if done.returncode != 0:
            self.skipTest(f"cannot build with {flags}")
        return path


def main():
    result = unittest.main(argv=[sys.argv[0], *sys.argv[4:]], exit=False).result
    if result.wasSuccessful() and result.skipped and len(result.skipped) == result.testsRun:
        sys.exit(77)
    sys.exit(not result.wasSuccessful())

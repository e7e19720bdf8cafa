"""Names of code on the command line: --symbols, --sysroot, and files that are not the ones that ran."""
import os
import shutil
import subprocess

from command_case import CommandCase, main

# What the sample traces call /home/user/app: its build-id, and functions around the offsets on their stacks.
BUILD_ID = "00112233445566778899aabbccddeeff00112233"
SOURCE = '__asm__(".text\\n.globl load\\n.type load, @function\\nload: .skip 0xa00, 0x90\\n.size load, 0xa00\\n");\n'


class Names(CommandCase):
    def setUp(self):
        super().setUp()
        self.compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if not self.compiler:
            self.skipTest("no C compiler")

    def build(self, name, build_id=BUILD_ID):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(self.path("app.c"), "w", encoding="utf-8") as file:
            file.write(SOURCE)
        subprocess.run([self.compiler, "-shared", "-nostdlib", f"-Wl,--build-id=0x{build_id}", self.path("app.c"), "-o",
                        path], check=True)
        return path

    def report(self, *words):
        self.assertEqual(self.run_command("report", *words, self.trace("leak")), 0, self.error)
        self.assertEqual(self.error, "")

    def test_symbols(self):
        self.build("symbols/app")
        self.report("--symbols", "symbols")
        self.assertIn("    > load  app+0x1234\n      load  app+0x1500\n", self.out)
        self.assertNotIn("No names for code of /home/user/app", self.out)

    def test_symbols_repeated(self):
        os.mkdir(self.path("first"))
        self.build(f"second/.build-id/00/{BUILD_ID[2:]}.debug")
        self.report("--symbols", "first", "--symbols=second")
        self.assertIn("    > load  app+0x1234\n", self.out)

    def test_sysroot(self):
        self.build("root/home/user/app")
        self.report("--sysroot", "root")
        self.assertIn("    > load  app+0x1234\n", self.out)
        self.assertIn("  No names for code of /opt/libc/libc.so.6: root/opt/libc/libc.so.6 is not there or cannot be read.\n",
                      self.out)

    def test_another_file(self):
        other = "ff" + BUILD_ID[2:]
        self.build("symbols/app", other)
        self.report("--symbols", "symbols")
        self.assertIn("  No names for code of /home/user/app: the file is gone or cannot be read; symbols/app is not the one "
                      f"that ran (it has build-id {other}).\n", self.out)
        self.build("root/home/user/app", other)
        self.report("--sysroot", "root")
        self.assertIn("  No names for code of /home/user/app: this file is not the one that ran: root/home/user/app has "
                      f"build-id {other}, and the one that ran had {BUILD_ID}.\n", self.out)
        self.assertIn("    > app+0x1234", self.out)
        self.run_command("report", "--sysroot", "root", "-f", "json", self.trace("leak"))
        unnamed = self.validate(self.out)["processes"][0]["coverage"]["unnamed"]
        self.assertEqual([(row["module"], row["lines_only"]) for row in unnamed],
                         [("/home/user/app", False), ("/opt/cuda/lib64/libcudart.so.13", False), ("/opt/libc/libc.so.6", False)])


class JustInTime(CommandCase):
    """The sample "libraries" has code at 0x7f0000000010 that no file backs."""

    def write_map(self):
        os.makedirs(self.path("root/tmp"))
        with open(self.path("root/tmp/perf-4711.map"), "w", encoding="utf-8") as file:
            file.write("7f0000000000 40 py::step:/home/user/train.py\n")

    def test_map(self):
        self.write_map()
        self.assertEqual(self.run_command("report", "--sysroot", "root", self.trace("libraries")), 0)
        self.assertIn("    > py::step:/home/user/train.py  0x7f0000000010\n", self.out)
        self.run_command("report", "--sysroot", "root", "-f", "json", self.trace("libraries"))
        frame = self.validate(self.out)["processes"][0]["sites"][0]["stack"][2]
        self.assertEqual((frame["function"], frame["kind"], frame["module"]), ("py::step:/home/user/train.py", "jit", None))

    def test_map_that_is_a_link(self):
        self.write_map()
        os.rename(self.path("root/tmp/perf-4711.map"), self.path("other"))
        os.symlink(self.path("other"), self.path("root/tmp/perf-4711.map"))
        self.run_command("report", "--sysroot", "root", self.trace("libraries"))
        self.assertIn("    > 0x7f0000000010 ", self.out)
        self.assertIn("  No names for code that no file backs: root/tmp/perf-4711.map is a link.\n", self.out)
        self.run_command("report", "--sysroot", "root", "-f", "json", self.trace("libraries"))
        self.assertIn({"module": None, "why": "root/tmp/perf-4711.map is a link", "lines_only": False},
                      self.validate(self.out)["processes"][0]["coverage"]["unnamed"])


class Refusals(CommandCase):
    def test_folders_that_are_none(self):
        trace = self.trace("leak")
        for words in (["report"], ["run", "--", "true"]):
            self.assert_refused("--symbols missing cannot be used: No such file or directory; name a folder", words[0],
                                "--symbols", "missing", *(words[1:] or [trace]))
            self.assert_refused(f"--sysroot {trace} is not a folder; name the folder that the file is in", words[0],
                                "--sysroot", trace, *(words[1:] or [trace]))
        self.assert_refused("--symbols needs a value: --symbols DIR", "report", "--symbols")
        self.assert_refused("more than 32 folders of symbols were given; leave some out", "report",
                            *["--symbols=/"] * 33, trace)


if __name__ == "__main__":
    main()

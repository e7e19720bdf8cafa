"""gpumemtrace run: what is started, what is refused, exit codes, files. The stub writes the traces."""
import os
import shutil
import struct
import subprocess

from command_case import CC, RunCase, STUB, main

# What is preloaded to simulate, in this order where the program needs no runtime itself.
SIMULATOR = ("libcuda.so.1", "libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0")


def true_program():
    with open("/bin/true", "rb") as file:
        return file.read()


class Codes(RunCase):
    def test_leaks(self):
        self.assertEqual(self.run_sample("leak", "--", "true"), 0)
        self.assertRegex(self.error, r"^gpumemtrace: LEAK in ./app \(pid \d+\): 4 blocks, 12.06 MiB")
        self.assertEqual(self.out, "")
        self.assert_nothing_left()
        self.assertEqual(self.run_sample("leak", "--leak-check", "--", "true"), 23)
        self.assertTrue(self.error.endswith("gpumemtrace: leak check FAILED: leaks\n"))
        self.assertEqual(self.run_sample("leak", "--leak-check", "--error-exitcode", "7", "--", "true"), 7)
        self.assert_nothing_left()

    def test_clean_is_one_line(self):
        self.assertEqual(self.run_sample("clean", "--leak-check", "true"), 0)
        self.assertRegex(self.error, r"^gpumemtrace: no leaks in ./app \(pid \d+\): 5 blocks were taken and all were freed; "
                                     r"peak 20.00 MiB on device 0 \(Test Device\)\n$")
        self.run_sample("clean", "--full", "true")
        self.assertIn("Peak of device memory", self.error)

    def test_nothing_traced(self):
        self.assertEqual(self.run_command("run", "--", "true"), 0)
        sentence = ("gpumemtrace: nothing was traced: no process of true initialised CUDA, and 0 processes traced is not 0 "
                    "leaks\n")
        self.assertEqual(self.error, sentence)
        self.assertEqual(self.run_command("run", "--leak-check", "--", "true"), 24)
        self.assertEqual(self.error, sentence + "gpumemtrace: leak check FAILED: no process initialised CUDA\n")

    def test_bypassed(self):
        self.assertEqual(self.run_sample("trouble", "--leak-check", "--", "true"), 24)
        self.assertIn("leak check FAILED: driver functions were reached past the hooks", self.error)

    def test_gaps(self):
        self.assertEqual(self.run_sample("gaps", "--leak-check", "-f", "json:r", "--", "true"), 24)
        self.assertIn("leak check FAILED: blocks may be missing from the trace, see Coverage\n", self.error)
        with open(self.path("r"), encoding="utf-8") as file:
            self.assertEqual(self.validate(file.read())["gate"]["result"], "incomplete")
        self.assertEqual(self.run_sample("gaps", "--", "true"), 0)

    def test_the_programs_own_code_comes_first(self):
        self.assertEqual(self.run_sample("leak", "--leak-check", "--", "sh", "-c", "exit 3"), 3)
        self.assertEqual(self.run_command("run", "--leak-check", "--", "false"), 1)
        self.assertEqual(self.run_sample("killed", "--leak-check", "--", "sh", "-c", "kill -9 $$"), 137)
        self.assertIn(", which was killed by signal 9 (Killed): 4 blocks", self.error)

    def test_how_processes_ended(self):
        self.assertEqual(self.run_sample("killed", "-f", "json:r", "--", "sh", "-c", "exit 0"), 0)
        with open(self.path("r"), encoding="utf-8") as file:
            process = self.validate(file.read())["processes"][0]["process"]
        self.assertEqual((process["ended_by"], process["exit_status"]), ("exit", 0))

    def test_several_processes(self):
        self.assertEqual(self.run_sample("clean,leak,clean", "--leak-check", "--", "true"), 23)
        self.assertTrue(self.error.startswith("gpumemtrace: LEAK in 1 of 3 processes: 4 blocks, 12.06 MiB, were never freed\n"))


class Environment(RunCase):
    def words(self, *words, **environment):
        """The program's LD_PRELOAD and GPUMEMTRACE_OPTIONS."""
        self.run_command("run", *words, "--", "sh", "-c", 'echo "$LD_PRELOAD"; echo "$GPUMEMTRACE_OPTIONS"', **environment)
        return self.out.split("\n")[:2]

    def test_preload(self):
        library = os.path.join(self.path("prefix"), "lib", "libgpumemtrace.so")
        preload, options = self.words()
        self.assertEqual(preload, library)
        self.assertRegex(options, rf"^dir='{self.traces}/gpumemtrace-run-\w+':render=parent:leak_check=0$")
        other = self.path("other.so")
        shutil.copy(STUB, other)
        preload, options = self.words("--depth", "32", LD_PRELOAD=f"{other} {library}", GPUMEMTRACE_OPTIONS="verbose=0")
        self.assertEqual(preload, f"{library}:{other}")
        self.assertRegex(options, r"^verbose=0:depth=32:dir='")

    def test_beside_the_command(self):
        os.rename(self.path("prefix/lib/libgpumemtrace.so"), self.path("prefix/bin/libgpumemtrace.so"))
        self.assertEqual(self.words()[0], self.path("prefix/bin/libgpumemtrace.so"))
        os.unlink(self.path("prefix/bin/libgpumemtrace.so"))
        self.assert_refused(f"libgpumemtrace.so is neither in {self.path('prefix')}/bin/../lib nor beside the command; install "
                            "it there", "run", "true")

    def test_paths_the_loader_would_split(self):
        self.install("with space:and colon")
        preload = self.words()[0]
        self.assertRegex(preload, rf"^{self.traces}/gpumemtrace-run-\w+/libgpumemtrace.so$")
        self.assertEqual(self.run_sample("leak", "--leak-check", "true"), 23)
        self.assert_nothing_left()

    def test_settings_of_the_environment(self):
        self.assertEqual(self.run_command("run", "true", STUB_SAMPLE="leak", GPUMEMTRACE_OPTIONS="leak_check=1"), 23)
        self.run_command("run", "true", STUB_SAMPLE="leak", GPUMEMTRACE_OPTIONS="output=r.txt")
        self.assertTrue(os.path.exists(self.path("r.txt")))
        self.assert_refused("GPUMEMTRACE_OPTIONS cannot be handed on: it has a quote without an end, or is too long; it is: "
                            "output='x", "run", "true", GPUMEMTRACE_OPTIONS="output='x")

    def test_simulate(self):
        self.assert_refused(f"{self.path('prefix')}/lib/simulator/libcuda.so.1 is missing; install libgpumemtrace with its "
                            "simulator", "run", "--simulate", "8GiB", "true")
        for name in SIMULATOR:
            shutil.copy(STUB, self.path("prefix/lib/simulator/" + name))
        self.run_command("run", "--simulate", "1.5G", "--", "sh", "-c", 'echo "$LD_PRELOAD $GPUMEMTRACE_SIMULATE"')
        library = self.path("prefix") + "/lib/"
        preloads = ":".join([library + "libgpumemtrace.so"] + [f"{library}simulator/{name}" for name in SIMULATOR])
        self.assertEqual(self.out, f"{preloads} 1610612736\n")

    def test_folders(self):
        self.assert_refused("cannot write to /proc, which GPUMEMTRACE_DIR names: No such file or directory; name another folder",
                            "run", "true", GPUMEMTRACE_DIR="/proc")
        os.mkdir(self.path("'\""))
        self.run_command("run", "true", GPUMEMTRACE_DIR=self.path("'\""))
        self.assertRegex(self.error, r"^gpumemtrace: the folder \S+ has both kinds of quotes and cannot be handed to the library; set "
                                     r"GPUMEMTRACE_DIR to another folder\n$")
        self.assertEqual(self.run_command("run", "true", GPUMEMTRACE_DIR=self.path("made")), 0)
        self.assertEqual(os.listdir(self.path("made")), [])
        self.assertEqual(self.run_command("run", "true", GPUMEMTRACE_DIR=""), 0)

    def test_a_sanitizers_runtime_comes_first(self):
        app = self.compile("asan", "int main(void){return 0;}", "-fsanitize=address")
        needed = subprocess.run(["readelf", "-d", app], capture_output=True, text=True, check=False).stdout
        runtime = next((word[:-1].lstrip("[") for line in needed.split("\n") for word in line.split() if "[libasan" in word), None)
        if not runtime:
            self.skipTest("the compiler's sanitizer runtime is not a library")
        self.assertEqual(self.run_command("run", "--verbose", "1", "--", app, STUB_SAMPLE="clean"), 0, self.error)
        self.assertIn(f"gpumemtrace: {runtime} is preloaded first, because a sanitizer's runtime must be\n", self.error)


class Refusals(RunCase):
    def test_words(self):
        self.assert_refused("run needs a program: gpumemtrace run [options] -- PROGRAM [ARGUMENTS...]", "run", "--leak-check")
        self.assert_refused("--leak-chek is not an option of run; the nearest is --leak-check (gpumemtrace help run lists them)",
                            "run", "--leak-chek", "true")
        self.assert_refused("--max-block=1 is not an option of run; the nearest is --max-blocks (gpumemtrace help run lists "
                            "them)", "run", "--max-block=1", "true")
        self.assert_refused("--dir=/x is not an option of run; gpumemtrace help run lists them", "run", "--dir=/x", "true")
        self.assert_refused("-f json needs a file, because standard output is the program's: -f json:report.json", "run", "-f",
                            "json", "true")
        self.assert_refused("--error-exitcode takes 1 to 124, not 125: 0 means success, 125 and more have meanings of their own",
                            "run", "--error-exitcode", "125", "true")
        self.assert_refused('--depth takes 1..256, not "banana"', "run", "--depth", "banana", "true")
        self.assert_refused('--oom-reports takes 0..64, not "65"', "run", "--oom-reports=65", "true")
        self.assert_refused('--stacks takes 0|1, not ""', "run", "--stacks=", "true")
        self.assert_refused("--simulate takes at most 64TiB, not 65T", "run", "--simulate", "65T", "true")
        for size in ("", "8Q", "-1", "0", "0x10", "1e3", "8GiBs", "99999999999T"):
            self.run_command("run", f"--simulate={size}", "true")
            self.assertRegex(self.error, r"^gpumemtrace: --simulate (takes the size of a device, as in 8GiB, not|needs a value)")

    def test_programs_that_are_not_there(self):
        self.assert_refused("the name of the program is empty", "run", "--", "", code=127)
        self.assert_refused("no-such-program was not found in PATH; give the path of the program (./no-such-program)", "run",
                            "no-such-program", code=127)
        self.assert_refused("cannot run ./missing: No such file or directory", "run", "./missing", code=127)
        self.assert_refused("/tmp is a folder, not a program", "run", "/tmp", code=126)
        self.program("plain", b"hello", 0o644)
        if os.geteuid() != 0 or not os.access(self.path("plain"), os.X_OK):
            self.assert_refused("./plain may not be executed: Permission denied; chmod +x it", "run", "./plain", code=126)
        self.program("data", b"\0\1\2\3")
        self.assert_refused("./data is neither an ELF program nor a script; name a program", "run", "./data", code=126)

    def test_static(self):
        self.compile("static", "int main(void){return 0;}", "-static")
        self.assert_refused("./static is statically linked, and nothing can be preloaded into it; link it dynamically (without "
                            "-static)", "run", "./static")

    def test_more_rights(self):
        self.program("setuid", true_program(), 0o4755)
        sentence = ("./{} is {}, and the loader ignores preloaded libraries there: nothing would be traced; trace a copy without "
                    "the privilege (cp keeps none of it)")
        self.assert_refused(sentence.format("setuid", "set-uid"), "run", "./setuid")
        self.program("setgid", true_program(), 0o2755)
        self.assert_refused(sentence.format("setgid", "set-gid"), "run", "./setgid")

    def test_capabilities(self):
        path = self.program("capable", true_program())
        try:
            os.setxattr(path, "security.capability", struct.pack("<IIIII", 0x02000001, 0x400, 0, 0, 0))
        except OSError:
            self.skipTest("file capabilities cannot be set here")
        self.assert_refused("./capable is a program with file capabilities, and the loader ignores preloaded libraries there: "
                            "nothing would be traced; trace a copy without the privilege (cp keeps none of it)", "run", "./capable")

    def test_other_machines(self):
        here = {"x86_64": "x86-64", "aarch64": "AArch64"}[os.uname().machine]
        data = bytearray(true_program())
        data[18:20] = struct.pack("<H", 243)
        self.program("riscv", bytes(data))
        self.assert_refused(f"./riscv is a 64-bit program for RISC-V, and this libgpumemtrace is for 64-bit {here}; use a build of "
                            "the program for it", "run", "./riscv")
        header = b"\x7fELF\1\1\1" + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, 0, 52, 0, 0, 52, 32, 0, 40, 0, 0)
        self.program("i386", header + bytes(64))
        self.assert_refused(f"./i386 is a 32-bit program for i386, and this libgpumemtrace is for 64-bit {here}; use a build of the "
                            "program for it", "run", "./i386")

    def interpreter(self, name, interpreter):
        data = true_program()
        start = data.index(b"/lib", 64)
        end = data.index(b"\0", start)
        return self.program(name, data[:start] + interpreter.ljust(end - start, b"\0") + data[end:])

    def test_other_loaders(self):
        self.interpreter("musl", b"/lib/ld-musl-x86_64.so.1")
        self.assert_refused("./musl is built for musl, and libgpumemtrace for glibc; use a glibc build of the program", "run",
                            "./musl")
        self.interpreter("lost", b"/lib64/none.so.9")
        self.assert_refused("cannot run ./lost: its loader /lib64/none.so.9 is missing", "run", "./lost", code=126)

    def test_scripts(self):
        self.compile("static", "int main(void){return 0;}", "-static")
        self.script("script", f"#!{self.path('static')}\n")
        self.assert_refused(f"{self.path('static')} is statically linked, and nothing can be preloaded into it; link it dynamically "
                            "(without -static)", "run", "./script")
        self.script("env", "#!/usr/bin/env -S X=1 no-such-language\n")
        self.assert_refused("no-such-language was not found in PATH; give the path of the program (./no-such-language)", "run",
                            "./env", code=127)
        self.script("loop", f"#!{self.path('loop')}\n")
        self.assert_refused(f"cannot run {self.path('loop')}: its interpreter is a script of a script, too deep", "run", "./loop",
                            code=126)
        self.script("good", "#! /bin/sh\necho from a script\n")
        self.assertEqual(self.run_command("run", "./good"), 0)
        self.assertEqual(self.out, "from a script\n")
        self.script("bare", "echo without a first line\n")
        self.assertEqual(self.run_command("run", "./bare"), 0)
        self.assertEqual(self.out, "without a first line\n")

    def test_started_by_the_loader(self):
        loader = next((path for path in ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1") if os.path.exists(path)), None)
        if not loader:
            self.skipTest("no loader by a known name")
        self.assertEqual(self.run_sample("clean", loader, "/bin/true"), 0)
        self.assertIn("no leaks", self.error)

    def test_static_runtime_on_the_simulated_device(self):
        mark = "CUDA driver version is insufficient for CUDA runtime version"
        app = self.compile("cuda", f'#include <stdio.h>\nint main(int c,char**v){{(void)v;if(c>9)puts("{mark}");return 0;}}')
        self.assert_refused(f"{app} has the CUDA runtime linked in statically, which needs a real driver; relink with -cudart shared "
                            "to run it on the simulated device", "run", "--simulate", "8GiB", app)
        for name in SIMULATOR:
            shutil.copy(STUB, self.path("prefix/lib/simulator/" + name))
        # This command looks for that message and must not be taken for a program that has it.
        self.assertEqual(self.run_command("run", "--simulate", "8GiB", self.command, "--version"), 0)
        self.assertEqual(self.run_command("run", app), 0)


class Output(RunCase):
    def test_files(self):
        self.assertEqual(self.run_sample("leak", "-f", "json:%n.json", "-o", "r.txt", "true"), 0)
        self.assertEqual(self.out + self.error, "")
        with open(self.path("app.json"), encoding="utf-8") as file:
            document = self.validate(file.read())
        self.assertEqual(document["gate"], {"result": "not_checked", "leaks": 4})
        with open(self.path("r.txt"), encoding="utf-8") as file:
            self.assertIn("LEAK", file.readline())

    def test_two_reports_in_one_file(self):
        self.assert_refused("two reports would go to same; name another file for one of them", "run", "-o", "same", "-f",
                            "json:same", "true")

    def test_the_longest_name(self):
        self.assertEqual(self.run_sample("leak", "-o", "x" * 255, "true"), 0)
        self.assertTrue(os.path.exists(self.path("x" * 255)))

    def test_nothing_traced_is_a_report_too(self):
        self.run_command("run", "--leak-check", "-f", "json:%n.%p.json", "true")
        name = next(name for name in os.listdir(self.folder) if name.endswith(".json"))
        self.assertRegex(name, r"^true\.\d+\.json$")
        with open(self.path(name), encoding="utf-8") as file:
            self.assertEqual(self.validate(file.read())["gate"]["result"], "not_traced")

    def test_a_report_that_cannot_be_written(self):
        self.assertEqual(self.run_sample("clean", "-f", "json:missing/r.json", "true"), 125)
        self.assertIn("gpumemtrace: cannot write the report to missing/r.json: No such file or directory; name another file\n",
                      self.error)
        self.assert_nothing_left()

    def test_a_reader_that_went_away(self):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([self.command, "run", "--", "true"], env={**self.environment, "STUB_SAMPLE": "leak"}, stderr=write,
                              cwd=self.folder, check=False)
        os.close(write)
        self.assertEqual(done.returncode, 125)
        self.assert_nothing_left()

    def test_closed_descriptors_do_not_get_into_a_report(self):
        """The program finds them closed, the files are whole, the exit code is that of the gate."""
        def close_standard():
            for descriptor in (0, 1, 2):
                os.close(descriptor)
        script = f"ls /proc/self/fd > {self.path('open')}"
        done = subprocess.run([self.command, "run", "--leak-check", "-f", "json:r.json", "-o", "r.txt", "--", "sh", "-c", script],
                              env={**self.environment, "STUB_SAMPLE": "leak"}, cwd=self.folder, preexec_fn=close_standard,
                              check=False)
        self.assertEqual(done.returncode, 23)
        with open(self.path("r.json"), encoding="utf-8") as file:
            self.validate(file.read())
        with open(self.path("open"), encoding="utf-8") as file:
            self.assertNotIn("2", file.read().split())
        done = subprocess.run([self.command, "run", "--leak-check", "true"], env={**self.environment, "STUB_SAMPLE": "leak"},
                              cwd=self.folder, preexec_fn=close_standard, check=False)
        self.assertEqual(done.returncode, 23)



if __name__ == "__main__":
    main()

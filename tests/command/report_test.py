"""gpumemtrace report: golden text of sample traces, JSON against the schema, every kind of bad input."""
import os
import subprocess

from command_case import CommandCase, main

SAMPLES = ("leak", "simulated", "killed", "clean", "empty", "oom", "recovered", "ended", "trouble", "names", "libraries",
           "recursion", "objects", "states", "calls", "holders")


class Text(CommandCase):
    def test_golden(self):
        for sample in SAMPLES:
            with self.subTest(sample):
                self.assertEqual(self.run_command("report", self.trace(sample)), 0)
                self.assertEqual(self.error, "")
                self.assert_golden(sample + ".txt", self.out)

    def test_brief_is_one_line_for_a_clean_process(self):
        self.assertEqual(self.run_command("report", "--brief", self.trace("clean")), 0)
        self.assertEqual(self.out, "gpumemtrace: no leaks in ./app (pid 4711): 5 blocks were taken and all were freed; "
                                   "peak 20.00 MiB on device 0 (Test Device)\n")

    def test_full_stacks(self):
        self.run_command("report", "--full-stacks", self.trace("leak"))
        self.assertIn("      libcudart.so.13+0x2000  /opt/cuda/lib64/libcudart.so.13\n    > app+0x1234", self.out)
        self.assertIn("      libc.so.6+0x100", self.out)

    def test_ends_of_stacks(self):
        self.run_command("report", self.trace("recursion"))
        self.assertIn("      44 deepest frames shown, the outermost are cut (option depth)\n", self.out)
        self.assertNotIn("could not be followed", self.out)
        self.run_command("report", "--full-stacks", self.trace("recursion"))
        self.assertEqual(self.out.count("      (the stack could not be followed further out)\n"), 2)

    def test_held_by_library(self):
        held = "Held by library at the end\n  libnccl.so.2 held 689.0 MiB in 44 blocks, of it 1.00 MiB of pinned host memory\n" \
               "  app held 2.00 MiB in 1 block\n"
        self.run_command("report", self.trace("libraries"))
        self.assertIn(held, self.out)
        self.run_command("report", self.trace("leak"))  # the program alone
        self.assertNotIn("Held by library", self.out)

    def test_brief_counts_frees_of_null(self):
        self.run_command("report", "--brief", self.trace("calls"))
        self.assertIn("  1,204 frees of a null pointer; --full lists where\n", self.out)
        self.assertNotIn("was called with a null pointer", self.out)

    def test_brief_leaves_modules_of_the_runtime_out(self):
        self.assertEqual(self.run_command("report", "--brief", self.trace("objects")), 0)
        self.assertEqual(self.out.count("\n"), 1)
        self.assertNotIn("library of device code", self.out)

    def test_several_processes(self):
        self.assertEqual(self.run_command("report", self.trace("leak"), self.trace("clean")), 0)
        self.assert_golden("several.txt", self.out)

    def test_a_folder_with_a_file_that_cannot_be_read(self):
        self.trace("leak", name="traces/good.gmt")
        with open(self.path("traces/bad.gmt"), "w", encoding="utf-8") as file:
            file.write("hello")
        self.assertEqual(self.run_command("report", "traces"), 0)
        self.assertTrue(self.out.startswith("gpumemtrace: LEAK in ./app"))
        self.assertTrue(self.out.endswith("\ngpumemtrace: traces/bad.gmt is not a trace file; trace files are written by "
                                          "libgpumemtrace.so and end in .gmt\n"))

    def test_one_oom(self):
        self.assertEqual(self.run_command("report", "--oom", "0", self.trace("oom")), 0)
        self.assertEqual(self.out, "")
        self.assert_golden("one_oom.txt", self.error)
        path = self.trace("oom")
        self.assert_refused(f"there is no out-of-memory error 1 in {path}; it has 1, counted from 0", "report", "--oom",
                            "1", path)

    def test_cut_file(self):
        whole = os.path.getsize(self.trace("leak"))
        self.assertEqual(self.run_command("report", self.trace("leak", whole - 200)), 0)
        self.assertIn("The trace file is cut short or damaged: 3 of 5 block records are missing.", self.out)
        whole = os.path.getsize(self.trace("clean"))
        self.assertEqual(self.run_command("report", "--brief", self.trace("clean", whole // 2)), 0)
        self.assertRegex(self.out, r"^gpumemtrace: no leaks were seen in .*; but the trace is not complete, see below\n")

    def test_hostile_names_stay_on_their_line(self):
        self.run_command("report", self.trace("names"))
        self.assertNotIn("\033", self.out)


class Json(CommandCase):
    def test_schema(self):
        for sample in SAMPLES:
            with self.subTest(sample):
                self.assertEqual(self.run_command("report", "-f", "json", self.trace(sample)), 0)
                self.validate(self.out)

    def test_figures_are_those_of_the_text(self):
        self.run_command("report", "-f", "json", self.trace("leak"))
        document = self.validate(self.out)
        process = document["processes"][0]
        self.assertEqual(document["verdict"]["sentences"],
                         ["LEAK in ./app (pid 4711): 4 blocks, 12.06 MiB, were never freed, at 2 call sites"])
        self.assertEqual([(leak["site"], leak["bytes"], leak["count"], leak["state"]) for leak in process["leaks"]],
                         [(0, 12582912, 3, "live"), (2, 65536, 1, "live")])
        self.assertEqual([(site["at_peak_bytes"], site["kind"]) for site in process["sites"]],
                         [(12582912, "device"), (8388608, "device"), (65536, "pinned")])
        self.assertEqual(process["devices"][0]["uuid"], "01020304-0506-0708-090a-0b0c0d0e0f10")
        self.assertEqual(process["devices"][0]["peak_bytes"], 20971520)
        self.assertEqual(process["process"]["start"], 1700000000)
        self.assertEqual(process["sites"][0]["stack"][0]["owner"], "cuda")
        self.assertEqual(process["sites"][0]["stack"][1]["build_id"], "00112233445566778899aabbccddeeff00112233")

    def test_libraries(self):
        self.run_command("report", "-f", "json", self.trace("libraries"))
        process = self.validate(self.out)["processes"][0]
        self.assertEqual(process["libraries"],
                         [{"module": "/opt/nccl/libnccl.so.2", "live_bytes": 722468864, "live_count": 44,
                           "leak_bytes": 722468864, "leak_count": 44},
                          {"module": "/home/user/app", "live_bytes": 2097152, "live_count": 1, "leak_bytes": 2097152,
                           "leak_count": 1}])
        self.assertEqual([site["library"] for site in process["sites"]],
                         ["/opt/nccl/libnccl.so.2", "/home/user/app", "/opt/nccl/libnccl.so.2"])
        self.assertEqual([frame["owner"] for frame in process["sites"][0]["stack"]],
                         ["cuda", "plumbing", "user", "user", "user", "user"])
        self.run_command("report", "-f", "json", self.trace("clean"))
        self.assertEqual(self.validate(self.out)["processes"][0]["libraries"], [])

    def test_bytes_that_are_no_utf8(self):
        self.run_command("report", "-f", "json", self.trace("names"))
        process = self.validate(self.out)["processes"][0]["process"]
        self.assertEqual(process["argv"], "\033[31mred\nline\xff\u00e9\"\\")
        self.assertEqual(process["host"], "host/../\x7f\xed\xa0\x80")

    def report_of(self, sample):
        self.run_command("report", "-f", "json", self.trace(sample))
        return self.validate(self.out)["processes"][0]

    def test_what_is_left(self):
        process = self.report_of("states")
        leaks = {(leak["site"], leak["state"]): leak for leak in process["leaks"]}
        self.assertEqual(sorted(leaks), [(0, "handle_and_mapping"), (0, "handle_only"), (0, "mapped_only"), (1, "live"),
                                         (1, "unmapped"), (2, "ended_by_reset"), (2, "live"), (3, "live")])
        self.assertEqual((leaks[0, "mapped_only"]["references"], leaks[0, "mapped_only"]["mappings"]), (0, 2))
        self.assertEqual(leaks[2, "ended_by_reset"]["ended_by"]["caller"]["api"], "cuDevicePrimaryCtxReset")
        self.assertEqual(leaks[2, "live"]["threads"], {"alive": 1, "ended": 2, "unknown": 0})
        self.assertEqual((leaks[2, "live"]["exported_count"], leaks[2, "live"]["ended_by"]), (1, None))
        self.assertEqual((leaks[3, "live"]["failed_next"]["api"], leaks[3, "live"]["failed_next"]["count"]),
                         ("cuStreamCreate", 1))
        self.assertEqual([site["library_unloaded"] for site in process["sites"]], [False, False, False, True])
        self.assertEqual(process["sites"][2]["freed_by"]["api"], "cuMemFree")

    def test_objects(self):
        process = self.report_of("objects")
        self.assertEqual(process["leaks"], [])
        self.assertEqual([(item["kind"], item["created"], item["destroyed"], item["live_count"], item["ended_count"])
                          for item in process["objects"]],
                         [("event", 5, 2, 3, 0), ("stream", 3, 0, 0, 2), ("reservation", 2, 0, 2, 0), ("mapping", 2, 0, 2, 0),
                          ("module", 2, 1, 1, 0), ("library", 1, 0, 1, 0)])
        self.assertEqual([(state["state"], state["count"]) for state in process["objects"][2]["states"]],
                         [("reserved_and_mapped", 1), ("reserved_only", 1)])
        self.assertEqual([(late["kind"], late["count"]) for late in process["late"]], [("stream", 1)])

    def test_calls(self):
        calls = {(call["kind"], call["address_is"] or call["code"]): call for call in self.report_of("calls")["failed_calls"]}
        self.assertEqual(len(calls), 10)
        self.assertEqual(calls["stray", "inside_block"]["nearest"]["role"], "below")
        self.assertEqual(calls["stray", "other_kind"]["count"], 17)
        self.assertEqual(calls["failed", 201]["thread"], {"id": 4713, "name": "cleaner", "state": "alive"})
        self.assertEqual((calls["failed", 712]["nearest"]["role"], calls["failed", 712]["nearest"]["unmapped"]),
                         ("in_the_way", True))
        self.assertEqual(calls["double", 1]["nearest"]["stack"][0]["offset"], "0x200")
        self.assertEqual(calls["exported", 0]["nearest"]["role"], "subject")

    def test_holders(self):
        process = self.report_of("holders")
        oom = process["oom"][0]
        self.assertEqual((oom["bytes_suffice"], oom["objects"], oom["pools"], oom["limits"]),
                         (True, [{"site": 1, "live_count": 1048576}], [0, 1], [1]))
        self.assertEqual(oom["live_of_kind"], [{"kind": "device", "live_count": 1}, {"kind": "stream", "live_count": 2},
                                               {"kind": "texture", "live_count": 1048576}])
        self.assertEqual([(pool["type"], pool["threshold_bytes"], pool["keeps_everything"], pool["trim_count"])
                          for pool in process["pools"]], [("default", None, True, 2), ("graphs", None, False, 0)])
        self.assertEqual([(limit["limit"], limit["old"], limit["new"]) for limit in process["limits"]],
                         [("stack_size", 1024, 8192), ("stack_size", 1024, 65536), ("malloc_heap_size", 1024, 16777216)])
        self.assertEqual([(context["device"], context["created_by"]["api"], context["device_taken_bytes"])
                          for context in process["contexts"]], [(0, "cuMemAlloc", 536870912), (1, "cuMemAlloc", 0)])

    def test_states_of_leaks(self):
        self.run_command("report", "-f", "json", self.trace("ended"))
        self.assertEqual([leak["state"] for leak in self.validate(self.out)["processes"][0]["leaks"]],
                         ["live", "ended_by_destroy", "ended_by_reset", "ended_by_release"])


class BadInput(CommandCase):
    def test_words(self):
        self.assert_refused("report needs a trace file, a folder of them, a process id, or --last for the newest", "report")
        self.assert_refused("--leak-stat is not an option of report; the nearest is --leak-status (gpumemtrace help report "
                            "lists them)", "report", "--leak-stat", "x")
        self.assert_refused("-x is not an option of report; gpumemtrace help report lists them", "report", "-x")
        self.assert_refused("--oom takes a number, not \"-1\"", "report", "--oom=-1", "x")
        self.assert_refused("--keep takes no value; write --keep alone", "report", "--keep=1", "x")
        self.assert_refused("--output needs a value: --output PATTERN", "report", "-o")
        self.assert_refused("xml is not a report format; the formats are: text, json", "report", "-f", "xml", "x")
        self.assert_refused("only one format can go to one place; give the others a file, as in -f json:report.json",
                            "report", "-f", "json", "-f", "text", "x")
        self.assert_refused("the pattern \"a%q\" has %q, which stands for nothing; known are %p pid, %h host, %n program, "
                            "%r rank, %t start time and %%", "report", "-o", "a%q", "x")
        self.assert_refused("the pattern \"a%\" ends in a single %; write %% for a percent sign", "report", "-o", "a%", "x")

    def test_files(self):
        usage = "name a trace file (*.gmt), a folder of them, or a process id"
        self.assert_refused(f"cannot read /nonexistent.gmt: No such file or directory; {usage}", "report",
                            "/nonexistent.gmt")
        self.assert_refused(f"/dev/null is not a file; {usage}", "report", "/dev/null")
        os.mkdir(self.path("empty"))
        self.assert_refused("there is no trace file (*.gmt) in empty", "report", "empty")
        with open(self.path("text.gmt"), "w", encoding="utf-8") as file:
            file.write("hello")
        self.assert_refused("text.gmt is not a trace file; trace files are written by libgpumemtrace.so and end in .gmt",
                            "report", "text.gmt")
        for size in (0, 3, 1 << 20): # as the library leaves it when its process is killed at once
            with open(self.path("fresh.gmt"), "wb") as file:
                file.truncate(size)
            self.assert_refused("fresh.gmt has no complete header: its process ended, or is still, at its first CUDA call, and "
                                "nothing was recorded", "report", "fresh.gmt")
        self.trace("leak", 100)
        self.run_command("report", "leak.gmt")
        self.assertRegex(self.error, r"^gpumemtrace: leak.gmt is cut short: it ends after 100 of the \d+ bytes of its "
                                     r"header, and nothing can be read from it; copy it again, or trace the program again\n$")
        self.trace("leak")
        with open(self.path("leak.gmt"), "r+b") as file:
            file.seek(8)
            file.write(b"\x63")
        self.run_command("report", "leak.gmt")
        self.assertIn("leak.gmt has layout 99 and this gpumemtrace reads layout ", self.error)

    def test_processes(self):
        self.assert_refused("there is no trace file of process 1: it is not traced, has not used CUDA yet, or wrote to "
                            "another folder (name that folder, or set GPUMEMTRACE_DIR to it)", "report", "1")

    def test_output_that_cannot_be_written(self):
        path = self.trace("leak")
        self.assert_refused("cannot write the report to /nonexistent/r.txt: No such file or directory; name another file",
                            "report", "-o", "/nonexistent/r.txt", path)
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([self.command, "report", path], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 125)
        self.assertEqual(done.stderr, b"gpumemtrace: cannot write the report to standard output: No space left on device; "
                                      b"name a file with -o\n")


class Output(CommandCase):
    def test_patterns(self):
        self.assertEqual(self.run_command("report", "-o", "%n.%p.%h.%r.%t.%%", self.trace("leak")), 0)
        self.assertEqual(self.out + self.error, "")
        self.assertTrue(os.path.exists(self.path("app.4711.testhost.0.1700000000.%")))

    def test_one_file_for_each_process_with_p(self):
        other = self.trace("clean")
        with open(other, "r+b") as file:
            data = file.read().replace((4711).to_bytes(4, "little"), (4712).to_bytes(4, "little"))
            file.seek(0)
            file.write(data)
        self.assertEqual(self.run_command("report", "-f", "json:r.%p", "-f", "json:all", self.trace("leak"), other), 0)
        for name, pids in (("r.4711", [4711]), ("r.4712", [4712]), ("all", [4711, 4712])):
            with open(self.path(name), encoding="utf-8") as file:
                document = self.validate(file.read())
            self.assertEqual([process["process"]["pid"] for process in document["processes"]], pids)
        self.assertEqual(oct(os.stat(self.path("all")).st_mode & 0o777), "0o600")

    def test_links_stay_links(self):
        os.symlink("real.txt", self.path("link.txt"))
        open(self.path("real.txt"), "w", encoding="utf-8").close()
        self.assertEqual(self.run_command("report", "-o", "link.txt", self.trace("leak")), 0)
        self.assertTrue(os.path.islink(self.path("link.txt")))
        self.assertGreater(os.path.getsize(self.path("real.txt")), 100)
        self.assertEqual(self.run_command("report", "-o", "/dev/stdout", self.trace("clean")), 0)
        self.assertTrue(self.out.startswith("gpumemtrace: no leaks"))

    def test_no_half_file_is_left(self):
        self.run_command("report", "-o", "missing/r.txt", self.trace("leak"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["leak.gmt", "traces"])

    def test_last_and_pid(self):
        old, new = self.trace("clean", name="traces/old.gmt"), self.trace("leak", name="traces/new.gmt")
        with open(new, "r+b") as file:
            data = file.read().replace((1700000000000000000).to_bytes(8, "little"), (1700000001000000000).to_bytes(8, "little"))
            file.seek(0)
            file.write(data)
        for words in (["--last"], ["4711"]):
            self.assertEqual(self.run_command("report", *words), 0)
            self.assertTrue(self.out.startswith("gpumemtrace: LEAK in ./app (pid 4711)"), self.out)
        self.assertEqual(self.run_command("report", os.path.dirname(old)), 0)
        self.assertTrue(self.out.startswith("gpumemtrace: LEAK in 1 of 2 processes"))


class AtExit(CommandCase):
    def test_writes_to_standard_error_and_removes_the_file(self):
        path = self.trace("clean")
        self.assertEqual(self.run_command("report", "--at-exit", path), 0)
        self.assertEqual(self.out, "")
        self.assertEqual(self.error.count("\n"), 1)
        self.assertFalse(os.path.exists(path))

    def test_keep_and_status(self):
        path = self.trace("leak")
        self.assertEqual(self.run_command("report", "--at-exit", "-f", "text", "--keep", "--leak-status", path), 23)
        self.assertTrue(os.path.exists(path))
        self.assertEqual(self.run_command("report", "--at-exit", "--leak-status", "-o", "r.txt", path), 23)
        self.assertEqual(self.error, "")
        self.assertFalse(os.path.exists(path))
        self.assertEqual(self.run_command("report", "--at-exit", "--leak-status", self.trace("clean")), 0)

    def test_a_failed_report_keeps_the_file(self):
        path = self.trace("leak")
        self.assertEqual(self.run_command("report", "--at-exit", "-o", "missing/r.txt", path), 125)
        self.assertTrue(os.path.exists(path))

    def test_one_oom_keeps_the_file(self):
        path = self.trace("oom")
        self.assertEqual(self.run_command("report", "--at-exit", "--oom", "0", path), 0)
        self.assertTrue(os.path.exists(path))


if __name__ == "__main__":
    main()

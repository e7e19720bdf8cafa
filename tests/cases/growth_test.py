"""Something is created per iteration and never given back: the reports count it, per stack."""
from traced_case import KIB, MIB, TracedCase, main


class Growth(TracedCase):
    program = "growth"

    # as in ggml-org/llama.cpp#25835
    def test_executable_graphs_that_nobody_destroys(self):
        self.run_case("executable_graphs")
        self.assertEqual(sorted(self.objects()), [("graph", 12, 12, 0), ("graph_exec", 12, 0, 12), ("stream", 1, 1, 0)])
        site = self.site(self.object("graph_exec"))
        self.assertEqual((site["api"], self.functions(site["stack"])[:3]),
                         ("cudaGraphInstantiate", ["capture", "serve", "executable_graphs"]))
        self.assertEqual(self.leaks(), [])
        self.says("still there: 12 executable graphs")

    def test_some_executable_graphs_are_destroyed(self):
        self.run_case("some_executable_graphs", "--full")
        item = self.object("graph_exec")
        self.assertEqual((item["created"], item["destroyed"], item["live_count"]), (12, 5, 7))
        self.says("  7 executable graphs (created 12, destroyed 5): cudaGraphInstantiate in capture (tests/cases/growth.c:")

    # as in ggml-org/llama.cpp#20315, ikawrakow/ik_llama.cpp#1232
    def test_executable_graphs_take_memory_that_no_call_tells(self):
        """2,048 MiB less a context of 526.8 hold 16 graphs of 90."""
        self.run_case("executable_graphs_until_full", size="2GiB", script="cost cuGraphInstantiateWithFlags 90MiB")
        oom = self.oom()
        self.assertEqual((oom["api"], oom["code"], oom["request_bytes"]), ("cudaGraphInstantiate", 2, 0))
        self.assertIn({"kind": "graph_exec", "live_count": 16}, oom["live_of_kind"])
        self.assertEqual((oom["objects"][0]["live_count"], self.site(oom["objects"][0])["kind"]), (16, "graph_exec"))
        self.says("    16 executable graphs: cudaGraphInstantiate in capture (")

    # as in NVIDIA/TensorRT#582
    def test_one_block_of_each_iteration_stays(self):
        self.run_case("execution_context")
        self.assertEqual(self.leaks(), [("cudaMalloc", "device", "live", 10, 640 * KIB)])
        self.assertEqual(self.functions(self.site(self.leak())["stack"]), ["execution_context", "run_case", "main"])
        self.assertEqual(sorted((site["live_count"], site["total_count"]) for site in self.process["sites"]), [(0, 10), (10, 10)])

    # as in kokkos/kokkos#2155, #2156, lammps/lammps#1473, #542
    def test_texture_objects_run_out_and_not_memory(self):
        self.run_case("texture_objects", script="fail cuTexObjectCreate 12001 2")
        oom = self.oom()
        self.assertEqual((oom["api"], oom["bytes_suffice"]), ("cudaCreateTextureObject", True))
        self.assertEqual([(item["live_count"], self.functions(self.site(item)["stack"])[0]) for item in oom["objects"]],
                         [(12000, "view_as_texture")])
        self.assertEqual(self.objects(), [("texture", 12000, 0, 12000)])
        self.says("bytes are not the limit: 12,000 texture objects are live, from one call site\n",
                  "  Bytes are not the limit: 12,000 texture objects are live from this stack\n")

    def test_surface_objects_run_out_and_not_memory(self):
        self.run_case("surface_objects", script="fail cuSurfObjectCreate 12001 2")
        self.assertTrue(self.oom()["bytes_suffice"])
        self.assertEqual(self.oom()["live_of_kind"], [{"kind": "array", "live_count": 1}, {"kind": "surface", "live_count": 12000}])
        self.says("bytes are not the limit: 12,000 surface objects are live, from one call site\n")

    # as in intel/llvm#1850, llnl/camp#71, tromp/cuckoo#69
    def test_events_of_a_launch_loop(self):
        self.run_case("events", script="fail cuEventCreate 20001 2")
        self.assertEqual(self.objects(), [("event", 20000, 0, 20000)])
        oom = self.oom()
        self.assertEqual((oom["api"], self.functions(oom["stack"])[:2]), ("cudaEventCreate", ["time_launch", "events"]))
        self.assertEqual([item["live_count"] for item in oom["objects"]], [20000])
        self.says("  20,000 events (created 20,000, destroyed 0): cudaEventCreate in time_launch (tests/cases/growth.c:",
                  "  Bytes are not the limit: 20,000 events are live from this stack\n")

    def test_streams_of_a_loop(self):
        self.run_case("streams", size="64GiB", script="fail cuStreamCreate 20001 2")  # 10.7 GiB are theirs
        self.assertEqual((self.objects(), self.oom()["api"]), ([("stream", 20000, 0, 20000)], "cudaStreamCreateWithFlags"))
        self.says("  Bytes are not the limit: 20,000 streams are live from this stack\n")

    def test_events_that_are_destroyed(self):
        self.run_case("balanced_events")
        self.assertEqual((self.objects(), self.leaks()), ([("event", 1000, 1000, 0)], []))
        self.assertNotIn("Objects still there", self.text)

    # as in gwoltman/gpuowl PR#5, pytorch PR#184860, facebookexperimental/triton PR#1289
    def test_modules_of_each_unit_of_work_and_a_launch_that_finds_no_memory(self):
        self.run_case("modules", script="fail cuLaunchKernel 36 2")
        self.assertEqual(self.objects(), [("module", 36, 0, 36)])
        oom = self.oom()
        self.assertEqual((oom["api"], self.functions(oom["stack"])[:2]), ("cuLaunchKernel", ["run_unit", "modules"]))
        self.assertEqual(oom["live_of_kind"], [{"kind": "module", "live_count": 36}])
        self.says("cuLaunchKernel did not get what it needs on device 0",
                  "  36 modules (created 36, destroyed 0): cuModuleLoadData in run_unit (tests/cases/growth.c:")

    def test_libraries_of_device_code(self):
        self.run_case("libraries")
        self.assertEqual(self.objects(), [("library", 36, 6, 30)])
        self.says("still there: 30 libraries of device code")

    # as in billythegoat356/OVNI#1, Xpra-org/xpra#733, mpv#4255
    def test_sessions_inside_a_library(self):
        self.run_case("sessions")
        self.assertEqual(self.leaks(), [("cudaMalloc", "device", "live", 5, 10 * MIB)])
        site = self.site(self.leak())
        self.assertEqual(site["library"].rsplit("/", 1)[1], "libsessions.so")
        self.assertEqual(self.functions(site["stack"])[:3], ["open_session", "ask_for_capabilities", "sessions"])
        self.assertFalse(site["library_unloaded"])
        self.says("  libsessions.so held 10.00 MiB in 5 blocks\n")

    def test_a_library_that_is_gone_when_the_report_is_made(self):
        self.run_case("sessions_of_an_unloaded_library")
        site = self.site(self.leak())
        self.assertEqual((site["library_unloaded"], self.functions(site["stack"])[0]), (True, "open_session"))
        self.says("      libsessions.so, which took it, has been unloaded\n")

    # as in LizardByte/Sunshine PR#2204
    def test_destroying_a_made_up_object_makes_a_context(self):
        self.run_case("texture_garbage")
        contexts = [(context["device"], context["primary"], context["created_by"]["api"],
                     self.functions(context["created_by"]["stack"])[0]) for context in self.process["contexts"]]
        self.assertEqual(contexts, [(0, True, "cudaDestroyTextureObject", "texture_garbage")])
        self.says("by cudaDestroyTextureObject in texture_garbage (tests/cases/growth.c:")

    # as in davisking/dlib PR#2027, apache/tvm PR#8267, pytorch PR#29233, jolibrain/caffe#63
    def test_a_thread_for_each_job(self):
        self.run_case("thread_per_job")
        self.assertEqual(self.leaks(), [("cudaMalloc", "device", "live", 313, 313 * 8 * MIB)])
        self.assertEqual(self.leak()["threads"], {"alive": 1, "ended": 312, "unknown": 0})
        self.assertEqual(self.object("stream")["states"][0]["threads"], {"alive": 1, "ended": 312, "unknown": 0})
        self.says("      312 of them were taken by threads that have ended\n", "      made by threads that have ended: 312\n")


if __name__ == "__main__":
    main()

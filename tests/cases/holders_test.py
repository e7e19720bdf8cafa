"""What keeps memory from others though no block is held: contexts, pools, graphs, limits, statics, other processes."""
from traced_case import GIB, KIB, MIB, TracedCase, main


class Contexts(TracedCase):
    program = "holders"

    def contexts(self):
        return [(context["device"], context["created_by"]["api"], self.functions(context["created_by"]["stack"])[0],
                 context["device_taken_bytes"]) for context in self.process["contexts"]]

    # as in microsoft/onnxruntime#17142, #20548, #14819, pytorch#20532
    def test_a_context_and_nothing_else(self):
        self.run_case("context_only", "--leak-check")
        self.assertEqual((self.leaks(), self.document["gate"]["result"]), ([], "passed"))
        self.assertEqual(self.contexts(), [(0, "cudaFree", "context_only", 0)])
        self.says("; 0 bytes were allocated on device 0 (Simulated NVIDIA GPU), whose context was made by cudaFree in context_only (")

    # as in rwth-i6/returnn#1469, dask-cuda#137, stylegan2-ada-pytorch#70
    def test_a_context_on_a_device_where_nothing_is_allocated(self):
        self.run_case("context_on_the_wrong_device", devices=2)
        self.assertEqual(self.contexts(), [(0, "cudaSetDevice", "context_on_the_wrong_device", 0),
                                           (1, "cudaSetDevice", "context_on_the_wrong_device", 64 * MIB)])
        self.says("; 0 bytes were allocated on device 0 (Simulated NVIDIA GPU), whose context was made by cudaSetDevice in ")
        self.assertNotIn("0 bytes were allocated on device 1", self.text)

    # as in vllm#32611, PR#44252, pytorch#17357, tensorflow#57877, pycuda#137
    def test_a_fork_changes_nothing_in_the_parents_report(self):
        self.run_case("fork_with_cuda")
        self.assertEqual(len(self.document["processes"]), 1)
        self.assert_clean()


class Statics(TracedCase):
    program = "holders"

    # as in opencv/opencv#8725
    def test_freed_by_the_library_when_it_or_the_program_ends(self):
        for case in ("static_of_a_library", "static_of_an_unloaded_library"):
            self.run_case(case)
            self.assert_clean()
            freed = self.process["sites"][0]["freed_by"]
            self.assertEqual((freed["api"], self.functions(freed["stack"])[0]), ("cudaFree", "end_static"))

    def test_freed_after_the_reset_of_the_device(self):
        self.run_case("static_after_a_reset")
        self.assertEqual(self.leaks(), [("cudaMalloc", "device", "ended_by_reset", 1, 3 * MIB)])
        self.assertEqual(self.functions(self.leak()["ended_by"]["caller"]["stack"])[0], "static_after_a_reset")
        self.assertEqual(self.failures(), [("cudaFree", "stray", 1, 1)])


class Pools(TracedCase):
    program = "holders"

    def pools(self):
        """(type, reserved, used, most reserved, trims) of each pool."""
        return [(pool["type"], pool["reserved_bytes"], pool["used_bytes"], pool["reserved_high_bytes"], pool["trim_count"])
                for pool in self.process["pools"]]

    def raised(self, pool):
        """Who set the threshold."""
        return pool["threshold_by"]["api"], self.functions(pool["threshold_by"]["stack"])[:2]

    # as in kekzl/imp PR#915, pytorch PR#188110
    def test_a_pool_that_keeps_everything(self):
        self.run_case("pool_that_keeps_everything", script="fail cuMemAlloc_v2 1 2")
        self.assertEqual((self.pools(), self.oom()["pools"]), ([("default", 6 * GIB, 0, 6 * GIB, 0)], [0]))
        pool = self.process["pools"][0]
        self.assertEqual((pool["keeps_everything"], pool["threshold_bytes"]), (True, None))
        self.assertEqual(self.raised(pool), ("cudaMemPoolSetAttribute", ["keep", "pool_that_keeps_everything"]))
        self.says("  No memory that this process took was live at that moment.\n",
                  "  Default pool of device 0 (Simulated NVIDIA GPU): 6.00 GiB reserved, 0 bytes of it in use; ",
                  "      keeps everything: release threshold set ", "      cudaMemPoolTrimTo(pool, 0) would return up to 6.00 GiB of it\n")

    def test_a_pool_that_keeps_a_part(self):
        self.run_case("pool_that_keeps_a_part", "--full")
        self.assertEqual(self.pools(), [("default", 128 * MIB, 0, 512 * MIB, 0)])
        pool = self.process["pools"][0]
        self.assertEqual((pool["keeps_everything"], pool["threshold_bytes"]), (False, 128 * MIB))
        self.says("      keeps up to 128.0 MiB: release threshold set ", " by cudaMemPoolSetAttribute in keep (tests/cases/holders.c:")

    def test_a_pool_that_was_trimmed(self):
        self.run_case("pool_that_was_trimmed", "--full")
        self.assertEqual(self.pools(), [("default", 0, 0, 512 * MIB, 1)])
        self.assertEqual(self.process["pools"][0]["trimmed_by"]["api"], "cudaMemPoolTrimTo")
        self.assertNotIn("would return", self.text)

    def test_a_pool_of_the_program(self):
        self.run_case("pool_of_the_program", script="fail cuMemAlloc_v2 1 2")
        self.assertIn(("created", 256 * MIB, 0, 256 * MIB, 0), self.pools())
        pool = next(pool for pool in self.process["pools"] if pool["type"] == "created")
        self.assertEqual((pool["destroyed"], self.raised(pool)),
                         (True, ("cudaMemPoolSetAttribute", ["keep", "pool_of_the_program"])))
        self.says("  Created pool of device 0 (Simulated NVIDIA GPU) (destroyed): 256.0 MiB reserved, 0 bytes of it in use; ")

    # as in rapidsai/rmm#1245
    def test_a_pool_in_pieces(self):
        self.run_case("pool_in_pieces", script="fail cuMemAllocAsync 33 2")
        self.assertEqual((self.oom()["api"], self.oom()["request_bytes"]), ("cudaMallocAsync", 127 * MIB))
        self.assertEqual(self.pools(), [("default", GIB, 512 * MIB, GIB, 0)])
        self.says("  Default pool of device 0 (Simulated NVIDIA GPU): 1.00 GiB reserved, 512.0 MiB of it in use; ",
                  "      cudaMemPoolTrimTo(pool, 0) would return up to 512.0 MiB of it\n")

    # as in Genesis-Embodied-AI/quadrants PR#669
    def test_pools_of_eight_workers(self):
        self.run_case("workers", "--full")
        self.assertEqual([(len(process["leaks"]), [pool["reserved_bytes"] for pool in process["pools"]])
                          for process in self.document["processes"]], [(0, [128 * MIB])] * 8)
        self.assertEqual(self.text.count("128.0 MiB reserved, 0 bytes of it in use; "), 8)

    # as in kekzl/imp PR#13, luminal PR#467, PR#472
    def test_graph_memory_is_a_pool_of_its_own(self):
        self.run_case("graph_pool", script="fail cuMemAlloc_v2 1 2")
        self.assertEqual([(kind, reserved, trims) for kind, reserved, _, _, trims in self.pools()],
                         [("default", 0, 1), ("graphs", 512 * MIB, 0)])
        self.assertEqual(self.oom()["pools"], [0, 1])
        self.says("  Memory of graphs of device 0 (Simulated NVIDIA GPU): 512.0 MiB reserved; at most 512.0 MiB; read ",
                  "      cudaDeviceGraphMemTrim would return what of it no block uses\n")

    def test_graph_memory_that_was_trimmed(self):
        self.run_case("graph_pool_that_was_trimmed", script="fail cuMemAlloc_v2 1 2")
        self.assertIn(("graphs", 0, 0, 512 * MIB, 1), self.pools())
        self.assertNotIn("would return", self.text)


class Limits(TracedCase):
    program = "holders"

    def limits(self):
        """(limit, old, new, api) of each change."""
        return [(limit["limit"], limit["old"], limit["new"], limit["set_by"]["api"]) for limit in self.process["limits"]]

    # as in taichi PR#7906, risc0 PR#3706, EMDC_llvm#13
    def test_old_and_new_value_and_who_did_it(self):
        self.run_case("stack_limit", "--full")
        self.assertEqual(self.limits(), [("stack_size", 1024, 8192, "cudaDeviceSetLimit")])
        self.assertEqual(self.functions(self.process["limits"][0]["set_by"]["stack"])[:2], ["raise_stack", "stack_limit"])
        self.says("  stack of each GPU thread on device 0 (Simulated NVIDIA GPU): from 1.00 KiB to 8.00 KiB, ",
                  ", by cudaDeviceSetLimit in raise_stack (tests/cases/holders.c:")

    def test_every_change_in_order(self):
        self.run_case("limits_up_and_down", "--full")
        self.assertEqual([limit[:3] for limit in self.limits()], [("stack_size", 1024, 8192), ("stack_size", 8192, 1024),
                                                                  ("malloc_heap_size", 8 * MIB, 64 * MIB)])

    # as in SourceryTools/nvptx-tools#8
    def test_a_launch_that_fails_after_a_limit_was_raised(self):
        self.run_case("launch_after_a_large_stack", script="fail cuLaunchKernel 1 719")
        self.assertEqual(self.failures(), [("cuLaunchKernel", "failed", 719, 1)])
        self.assertEqual(self.limits(), [("stack_size", 1 * KIB, 8 * KIB, "cuCtxSetLimit")])
        self.says("Limits that the program changed\n  stack of each GPU thread on device 0",
                  "  cuLaunchKernel failed once with CUDA_ERROR_LAUNCH_FAILED (719)\n")

    def test_code_that_finds_no_memory_after_a_limit_was_raised(self):
        self.run_case("load_after_a_large_stack", script="fail cuModuleLoadData 1 2")
        self.assertEqual((self.oom()["api"], self.oom()["limits"]), ("cuModuleLoadData", [0]))
        self.says("  Limits that the program had changed:\n"
                  "    stack of each GPU thread on device 0 (Simulated NVIDIA GPU): from 1.00 KiB to 8.00 KiB, ")

    def test_a_limit_that_does_not_fit(self):
        """128 KiB for each of 2,048 × 132 threads are 33 GiB."""
        self.run_case("stack_that_does_not_fit")
        self.assertEqual((self.oom()["api"], self.oom()["entry"], self.limits()), ("cudaDeviceSetLimit", "cuCtxSetLimit", []))


class Killed(TracedCase):
    program = "holders"

    # as in cupy PR#4015, CUDA.jl#3013, PR#3092
    def test_managed_memory_of_a_process_that_is_killed(self):
        self.run_case("managed_until_killed", status=137)
        self.assertEqual(self.leaks(), [("cudaMallocManaged", "managed", "live", 10, 800 * MIB)])
        self.assertEqual((self.process["process"]["ended_by"], self.process["process"]["signal"]), ("signal", 9))
        self.assertEqual(self.leak()["threads"], {"alive": 0, "ended": 0, "unknown": 10})
        self.says(", which was killed by signal 9 (Killed): 10 blocks, 800.0 MiB, were never freed")


if __name__ == "__main__":
    main()

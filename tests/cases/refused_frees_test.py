"""Frees that are refused: what they were about, what stays, and what is no error."""
from traced_case import MIB, TracedCase, main


class Late(TracedCase):
    program = "refused_frees"

    # as in NVIDIA/cccl#7063, HyperPose PR#239, caffe#6281, pytorch#13786, rmm PR#2202
    def test_freed_by_destructors_when_the_driver_is_gone(self):
        self.run_case("late", "--leak-check")
        self.assertEqual(self.leaks(), [])
        self.assertEqual((self.process["verdict"]["result"], self.document["gate"]["result"]), ("clean", "passed"))
        self.assertEqual(sorted((item["kind"], item["count"], item["bytes"]) for item in self.process["late"]),
                         [("device", 1, 4 * MIB), ("event", 1, 0), ("pinned", 1, MIB), ("stream", 64, 0)])
        self.assertEqual(sorted(self.failures()), [("cuEventDestroy", "late", 4, 1), ("cuMemFree", "late", 4, 1),
                                                   ("cuMemFreeHost", "late", 4, 1), ("cuStreamDestroy", "late", 4, 64)])
        self.assertEqual({call["stack"][0]["function"] for call in self.process["failed_calls"]}, {"give_back_owned"})
        self.says("Freed too late, after the driver had shut down; the process's end reclaims it\n",
                  "  cuStreamDestroy, 64 times, with CUDA_ERROR_DEINITIALIZED (4)\n    > give_back_owned  tests/cases/refused_frees.c:")
        self.assertNotIn("Failed calls", self.text)

    def test_freed_after_main_and_in_time(self):
        self.run_case("late_but_in_time")
        self.assertEqual((self.leaks(), self.process["late"], self.failures()), ([], [], []))

    def test_the_runtime_refuses_without_asking_the_driver(self):
        """Nobody saw that free: the block was never freed."""
        self.run_case("late_by_the_runtime")
        self.assertEqual(self.leaks(), [("cudaMalloc", "device", "live", 1, 4 * MIB)])
        self.assertEqual((self.process["late"], self.failures()), ([], []))


class WithoutContext(TracedCase):
    program = "refused_frees"

    def refused(self, function, api, block):
        failure = self.failure()
        self.assertEqual((failure["kind"], failure["code"], failure["no_context"]), ("failed", 201, True))
        self.assertEqual((failure["thread"]["name"], self.functions(failure["stack"])[0]), ("collector", function))
        self.assertEqual((failure["nearest"]["role"], failure["nearest"]["bytes"]), ("subject", 2 * MIB))
        self.assertEqual(self.leaks(), [(api, block, "live", 1, 2 * MIB)])
        self.says(" failed once with CUDA_ERROR_INVALID_CONTEXT (201), on thread ", " (collector), which had no current context\n",
                  "      so it was not given back: 2.00 MiB, taken by " + api)

    # as in NVIDIA/cuda-python#2497
    def test_a_thread_without_a_context(self):
        self.run_case("no_context", script="fail cuMemFree_v2 1 201")
        self.refused("free_block", "cudaMalloc", "device")

    def test_stream_ordered_memory(self):
        self.run_case("no_context_async")
        self.refused("free_in_stream_order", "cudaMallocAsync", "stream_ordered")


class WrongPointers(TracedCase):
    program = "refused_frees"

    def stray(self, case, api, address_is, *sentences):
        """The free is refused, and nothing is left behind."""
        self.run_case(case)
        self.assertEqual(self.failures(), [(api, "stray", 1, 1)])
        self.assertEqual((self.failure()["address_is"], self.leaks()), (address_is, []))
        self.says(*sentences)

    # as in autoware PR#112, charm#3639, abacus#736
    def test_the_address_of_the_pointer(self):
        self.stray("address_of_the_pointer", "cudaFreeHost", "stack",
                   "; that is on the calling thread's own stack: the address of a variable\n")

    def test_inside_of_a_block(self):
        self.stray("middle_of_a_pool", "cudaFreeHost", "inside_block", "; that is 64 bytes into a block, not its start\n",
                   "1.00 MiB, taken by cudaMallocHost in middle_of_a_pool (tests/cases/refused_frees.c:")
        self.assertEqual(self.failure()["nearest"]["role"], "below")
        self.assertEqual(int(self.failure()["last_address"], 16) - int(self.failure()["nearest"]["address"], 16), 64)
        self.stray("middle_of_a_block", "cudaFree", "inside_block", "; that is 3.00 MiB into a block, not its start\n",
                   "4.00 MiB, taken by cudaMalloc in take (tests/cases/refused_frees.c:")

    def test_an_uninitialised_pointer(self):
        self.stray("uninitialised", "cudaFree", "unknown", "  cudaFree of 0x5a5a5a5a5a5a failed once with CUDA_ERROR_INVALID_VALUE (1)",
                   "; no live block starts there\n")

    def test_memory_of_malloc(self):
        self.stray("heap_pointer", "cudaFreeHost", "host", "; that is memory of the host which no call had taken\n")

    def test_another_kind_starts_there(self):
        self.stray("registered_as_pinned", "cudaFreeHost", "other_kind",
                   "; registered host memory starts there, which this call does not give back\n")
        self.stray("mapped_range_as_block", "cuMemFree", "other_kind",
                   "; a reserved address range starts there, which this call does not give back\n")
        self.stray("graph_as_executable", "cudaGraphExecDestroy", "other_kind",
                   "; a graph starts there, which this call does not give back\n",
                   "      it is a graph, made by cudaGraphCreate in graph_as_executable (")

    def test_device_and_pinned_memory_mixed_up(self):
        for case, api, taken in (("device_block_as_pinned", "cudaFreeHost", "cudaMalloc"),
                                 ("pinned_as_device_block", "cudaFree", "cudaMallocHost")):
            self.run_case(case)
            self.assertEqual((self.failures(), self.leaks()), ([(api, "failed", 1, 1)], []))
            self.assertEqual(self.site(self.failure()["nearest"])["api"], taken)


class Pairs(TracedCase):
    program = "refused_frees"

    # as in gpu-burn PR#17
    def test_pinned_memory_given_to_the_c_library(self):
        self.run_case("pinned_to_the_c_library", status=139)
        self.assertEqual(self.leaks(), [("cudaMallocHost", "pinned", "live", 1, MIB)])
        self.assertEqual((self.process["process"]["ended_by"], self.process["process"]["signal"]), ("signal", 11))

    # as in kekzl/imp PR#1505, HAMi-core#257
    def test_four_pairs_of_taking_and_freeing(self):
        self.run_case("pairs")
        self.assert_clean()
        self.assertEqual(sorted((site["api"], site["total_count"], site["live_count"]) for site in self.process["sites"]),
                         [("cudaMalloc", 2, 0), ("cudaMallocAsync", 2, 0)])


class ErrorPaths(TracedCase):
    program = "refused_frees"

    # as in stdexec PR#2220, Open3D PR#3099, cumo PR#433, PR#438, oneMath#274, nccl PR#1143
    def test_an_early_return(self):
        self.run_case("early_return", script="fail cuMemcpyHtoD_v2 every 1 700")
        self.assertEqual(self.leaks(), [("cudaMalloc", "device", "live", 3, 3 * MIB)])
        failed = self.leak()["failed_next"]
        self.assertEqual((failed["count"], failed["api"], failed["code"], self.functions(failed["stack"])[0]),
                         (3, "cudaMemcpy", 700, "load"))
        self.says("      all of them were taken right before a call of its thread failed: cudaMemcpy in load (")
        self.run_case("early_return")
        self.assert_clean()

    def test_a_jump_past_the_free(self):
        self.run_case("jumped_past_the_free", script="fail cuEventCreate 1 304")
        self.assertEqual(self.leaks(), [("cudaMalloc", "device", "live", 1, MIB)])
        self.assertEqual(self.objects(), [("stream", 1, 0, 1)])
        failed = self.object("stream")["states"][0]["failed_next"]
        self.assertEqual((failed["count"], failed["api"], failed["code"]), (1, "cudaEventCreate", 304))


if __name__ == "__main__":
    main()

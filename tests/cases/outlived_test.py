"""Memory that outlives its context, pool, graph or thread, and who is left holding it."""
from traced_case import MIB, TracedCase, main

GRANULE = 2 * MIB


class Outlived(TracedCase):
    program = "outlived"

    # as in Xpra-org/xpra#733
    def test_a_context_that_is_destroyed_with_what_it_held(self):
        self.run_case("context_destroyed")
        self.assertEqual(self.leaks(), [("cuMemAlloc", "device", "ended_by_destroy", 1, 3 * MIB)])
        ended = self.leak()["ended_by"]["caller"]
        self.assertEqual((ended["api"], self.functions(ended["stack"])[0]), ("cuCtxDestroy", "context_destroyed"))
        self.assertEqual((self.object("stream")["live_count"], self.object("stream")["ended_count"]), (0, 1))

    def test_a_pool_that_is_destroyed_before_its_block(self):
        self.run_case("pool_destroyed")
        self.assertEqual(self.leaks(), [("cudaMallocFromPoolAsync", "stream_ordered", "live", 1, MIB)])
        self.assertEqual(self.objects(), [("pool", 1, 1, 0)])
        self.run_case("freed_after_its_pool")
        self.assertEqual((self.leaks(), self.failures()), ([], []))

    # as in kekzl/imp PR#13, luminal PR#467
    def test_a_graph_that_is_destroyed_before_its_block(self):
        self.run_case("graph_destroyed")
        self.assertEqual(self.leaks(), [("cudaMallocAsync", "graph_memory", "live", 1, 64 * MIB)])
        self.assertEqual(self.functions(self.site(self.leak())["stack"])[:2], ["take_in_graph", "graph_destroyed"])
        self.run_case("freed_after_its_graph")
        self.assertEqual((self.leaks(), self.failures()), ([], []))

    def test_a_free_that_a_capture_forbids(self):
        self.run_case("freed_while_capturing")
        self.assertEqual(sorted(self.failures()), [("cudaFree", "failed", 900, 1), ("cudaStreamEndCapture", "failed", 901, 1)])
        self.assertEqual(self.leaks(), [("cudaMalloc", "device", "live", 1, MIB)])
        self.says("      so it was not given back: 1.00 MiB, taken by cudaMalloc in freed_while_capturing (")

    # as in davisking/dlib PR#2027
    def test_blocks_of_ended_threads_that_another_one_frees(self):
        self.run_case("freed_by_another_thread")
        self.assert_clean()
        self.assertEqual([(site["total_count"], site["threads"]) for site in self.process["sites"]],
                         [(20, {"alive": 0, "ended": 0, "unknown": 0})])

    # as in vllm#32611
    def test_a_fork_while_memory_is_held(self):
        self.run_case("fork_while_holding")
        self.assertEqual(len(self.document["processes"]), 1)
        self.assert_clean()


class SharedHandles(TracedCase):
    program = "outlived"

    # as in NVIDIA/cuda-python#2344
    def test_a_handle_at_two_places(self):
        self.run_case("mapped_twice")
        self.assertEqual(self.leaks(), [("cuMemCreate", "physical", "mapped_only", 1, GRANULE)])
        self.assertEqual((self.leak()["references"], self.leak()["mappings"]), (0, 1))
        self.assertEqual(sorted(self.objects()), [("mapping", 1, 0, 1), ("mapping", 1, 1, 0), ("reservation", 1, 0, 1)])

    def test_two_handles_unmapped_by_one_call(self):
        self.run_case("unmapped_together")
        self.assertEqual((self.leaks(), self.failures()), ([], []))
        self.assertEqual(sorted(self.objects()), [("mapping", 2, 2, 0), ("reservation", 1, 1, 0)])

    # as in DeepEP#497
    def test_an_import_that_is_kept(self):
        self.run_case("import_kept")
        self.assertEqual([leak[:4] for leak in self.leaks()], [("cuMemImportFromShareableHandle", "physical_import", "handle_only", 1)])
        self.assertEqual([(item["kind"], item["opened"], item["closed"], item["live_count"]) for item in self.process["imports"]],
                         [("physical_import", 1, 0, 1)])
        self.assertEqual(self.failures(), [("cuMemRelease", "exported", 0, 1)])

    def test_memory_of_another_process_opened_twice_and_closed_once(self):
        """The importer's report tells what is open still, the exporter's that it may be."""
        self.run_case("opened_twice")
        other, self.process = sorted(self.document["processes"], key=lambda process: len(process["leaks"]))
        self.assertEqual(self.leaks(), [("cudaIpcOpenMemHandle", "ipc", "live", 1, 4 * MIB)])
        self.assertEqual((self.leak()["references"], self.failures()), (1, [("cudaFree", "stray", 1, 1)]))
        self.assertEqual(self.failure()["address_is"], "other_kind")
        self.says("; memory of another process starts there, which this call does not give back\n")
        self.process = other
        self.assertEqual((self.leaks(), self.failures()), ([], [("cudaFree", "exported", 0, 1)]))


if __name__ == "__main__":
    main()

"""What is given back twice, and what only looks like it."""
from traced_case import KIB, MIB, TracedCase, main


class Second(TracedCase):
    program = "second_frees"

    def doubles(self, case, *expected):
        """The only failed calls, (api, code) each, are second frees; nothing is left."""
        self.run_case(case)
        self.assertEqual(sorted(self.failures()), sorted((api, "double", code, 1) for api, code in expected))
        self.assertEqual([call["nearest"]["role"] for call in self.process["failed_calls"]], ["freed_before"] * len(expected))
        self.assertEqual((self.leaks(), [item for item in self.objects() if item[3]]), ([], []))

    def three_stacks(self, second, first, taken, bytes_taken):
        """Who freed it again, who freed it first, who took it."""
        failure = self.failure()
        self.assertEqual([self.functions(stack)[0] for stack in (failure["stack"], failure["nearest"]["stack"],
                                                                  self.site(failure["nearest"])["stack"])], [second, first, taken])
        self.assertEqual(failure["nearest"]["bytes"], bytes_taken)

    # as in cuda-samples PR#52, cub#329
    def test_by_hand_and_by_the_owner(self):
        self.doubles("second_free", ("cudaFree", 1))
        self.three_stacks("release_by_owner", "release_by_hand", "take", 3 * MIB)
        self.says(" was a second free of the same block, once, and returned CUDA_ERROR_INVALID_VALUE (1)\n    > release_by_owner",
                  "      it was freed first ", " after the start:\n    > release_by_hand",
                  "      it was 3.00 MiB, taken by cudaMalloc:\n    > take")

    def test_in_another_thread(self):
        self.doubles("second_free_in_another_thread", ("cudaFree", 1))
        self.three_stacks("release_by_owner", "release_by_hand", "take", 3 * MIB)

    def test_other_memory(self):
        self.doubles("second_free_of_pinned", ("cudaFreeHost", 1))
        self.doubles("second_free_in_stream_order", ("cudaFreeAsync", 1))
        self.doubles("second_free_by_another_function", ("cudaFree", 1))
        self.doubles("second_free_of_a_range", ("cuMemAddressFree", 1))
        self.says(" was a second free of the same reserved address range, once, and returned ")

    def test_objects(self):
        """Codes as measured: a module answers 400, graphs and pools answer 1."""
        self.doubles("second_unload", ("cuModuleUnload", 400))
        self.says(" was a second destruction of the same module, once, and returned CUDA_ERROR_INVALID_HANDLE (400)\n",
                  "      it was destroyed first ", "      it was made by cuModuleLoadData:\n")
        self.doubles("second_destruction_of_graphs", ("cudaGraphDestroy", 1), ("cudaGraphExecDestroy", 1))
        self.doubles("second_destruction_of_a_pool", ("cudaMemPoolDestroy", 1))

    def test_after_many_other_frees(self):
        self.doubles("second_free_after_many", ("cudaFree", 1))
        self.three_stacks("release_by_owner", "release_by_hand", "take", 3 * MIB)

    def test_the_second_free_ends_what_another_got(self):
        """The driver takes it; the free that is refused then is that of the new owner."""
        self.doubles("owner_frees_what_another_got", ("cudaFree", 1))
        self.three_stacks("release_by_owner", "release_by_hand", "take", 3 * MIB)
        self.assertEqual(sum(site["total_count"] for site in self.process["sites"]), 2)


class NotSecond(TracedCase):
    program = "second_frees"

    def test_another_block_got_the_address(self):
        self.run_case("reuse_at_once")
        self.assert_clean()

    def test_another_block_got_the_address_after_100_000_frees(self):
        self.run_case("reuse_after_many")
        self.assert_clean()
        self.assertEqual(sum(site["total_bytes"] for site in self.process["sites"]), 100001 * 64 * KIB + 2 * MIB)

    def test_handles_that_come_back(self):
        self.run_case("handles_come_back")
        self.assertEqual((sorted(self.objects()), self.failures()), ([("event", 1000, 1000, 0), ("stream", 1000, 1000, 0)], []))

    def test_a_free_after_the_reset_that_ended_the_block(self):
        self.run_case("freed_after_a_reset")
        self.assertEqual(self.failures(), [("cudaFree", "stray", 1, 1)])
        self.assertEqual(self.leaks(), [("cudaMalloc", "device", "ended_by_reset", 1, 3 * MIB)])
        self.assertEqual(self.leak()["ended_by"]["caller"]["api"], "cudaDeviceReset")
        self.says("; still there at the reset of the device, which ended them\n",
                  "      ended by cudaDeviceReset in freed_after_a_reset (tests/cases/second_frees.c:")


if __name__ == "__main__":
    main()

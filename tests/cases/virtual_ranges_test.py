"""Virtual and exported memory: who holds what is left, and how often."""
from traced_case import GIB, MIB, TracedCase, main

GRANULE = 2 * MIB


class VirtualRanges(TracedCase):
    program = "virtual_ranges"

    # as in NVIDIA/cuda-python#2882, #2344
    def test_segments_held_only_by_their_handles(self):
        self.run_case("segments")
        self.assertEqual(self.leaks(), [("cuMemCreate", "physical", "handle_only", 64, 4 * GIB)])
        self.assertEqual((self.leak()["references"], self.leak()["mappings"]), (64, 0))
        self.assertEqual(sorted(self.objects()), [("mapping", 64, 64, 0), ("reservation", 64, 64, 0)])
        self.says("; held only by the handle: it is mapped nowhere and never released\n",
                  "      together 64 references, 0 mappings\n", "    > create    tests/cases/virtual_ranges.c:")

    def step(self, case, leaks, references, mappings, ranges):
        """What is left of one range when the program stops after a step."""
        self.run_case(case)
        self.assertEqual(self.leaks(), leaks)
        self.assertEqual([(leak["references"], leak["mappings"]) for leak in self.process["leaks"]],
                         [(references, mappings)] if leaks else [])
        self.assertEqual([(item["kind"], state["state"], state["bytes"]) for item in self.process["objects"]
                          for state in item["states"]], ranges)

    def test_stopping_at_each_step(self):
        """Reserved, created, mapped, made accessible, released, unmapped, freed."""
        free, mapped = ("reservation", "reserved_only", GRANULE), ("reservation", "reserved_and_mapped", GRANULE)
        self.step("until_reserved", [], 0, 0, [free])
        self.step("until_created", [("cuMemCreate", "physical", "handle_only", 1, GRANULE)], 1, 0, [free])
        self.step("until_mapped", [("cuMemCreate", "physical", "handle_and_mapping", 1, GRANULE)], 1, 1,
                  [mapped, ("mapping", "mapped_without_access", GRANULE)])
        self.says("created and mapped, never given access: 1\n")
        self.step("until_accessed", [("cuMemCreate", "physical", "handle_and_mapping", 1, GRANULE)], 1, 1,
                  [mapped, ("mapping", "mapped", GRANULE)])
        self.says("; held by the handle and by the mapping: never released, never unmapped\n", "      1 reference, 1 mapping\n")
        self.step("until_released", [("cuMemCreate", "physical", "mapped_only", 1, GRANULE)], 0, 1,
                  [mapped, ("mapping", "mapped", GRANULE)])
        self.says("; held only by the mapping: its handle is released, it is never unmapped\n")
        self.step("until_unmapped", [], 0, 0, [free])
        self.step("until_freed", [], 0, 0, [])

    # as in NVIDIA/nccl#1795
    def test_two_references_released_with_the_unmapping_between(self):
        self.run_case("retained_and_released")
        self.assertEqual((self.leaks(), self.failures(), self.process["verdict"]["result"]), ([], [], "clean"))

    def test_a_reference_too_many(self):
        self.run_case("retained_for_ever")
        self.assertEqual(self.leaks(), [("cuMemCreate", "physical", "handle_only", 1, GRANULE)])
        self.says("      1 reference, 0 mappings\n")
        self.run_case("retained_twice")
        self.assertEqual((self.leak()["count"], self.leak()["references"]), (1, 2))
        self.says("      2 references, 0 mappings\n")

    def test_a_release_too_many(self):
        self.run_case("released_too_often")
        self.assertEqual((self.leaks(), self.failures()), ([], [("cuMemRelease", "double", 1, 1)]))

    # as in invergent-ai/surogate#117, Mooncake PR#2380
    def test_a_range_of_which_one_part_could_not_be_made(self):
        self.run_case("parts", script="fail cuMemCreate 3 2")
        self.assertEqual(self.leaks(), [("cuMemCreate", "physical", "handle_and_mapping", 2, 2 * GRANULE)])
        mappings = self.object("mapping")
        self.assertEqual((mappings["live_count"], self.object("reservation")["bytes"]), (2, 3 * GRANULE))
        failed = mappings["states"][0]["failed_next"]
        self.assertEqual((failed["api"], failed["code"], self.functions(failed["stack"])[:2]), ("cuMemCreate", 2, ["create", "parts"]))
        self.assertEqual((self.oom()["api"], self.oom()["request_bytes"]), ("cuMemCreate", GRANULE))


class Exports(TracedCase):
    program = "virtual_ranges"

    def noted(self, case, api, bytes_taken):
        self.run_case(case)
        self.assertEqual((self.leaks(), self.failures()), ([], [(api, "exported", 0, 1)]))
        self.assertEqual((self.failure()["nearest"]["role"], self.failure()["nearest"]["bytes"]), ("subject", bytes_taken))
        self.assertEqual(self.process["verdict"]["result"], "clean")
        self.says("Freed after it had been exported to other processes; whether they have closed it cannot be known\n",
                  "      it had been exported by:\n")

    # as in DeepEP#497
    def test_freed_after_the_export(self):
        self.noted("exported_and_freed", "cudaFree", 4 * MIB)
        self.assertEqual(self.functions(self.failure()["nearest"]["stack"])[:2], ["export_block", "exported_and_freed"])

    def test_handles_and_blocks_of_pools_are_exported_too(self):
        self.noted("exported_handle_and_released", "cuMemRelease", GRANULE)
        self.noted("exported_pool_block_and_freed", "cudaFreeAsync", MIB)

    def test_exported_and_never_freed(self):
        self.run_case("exported_and_kept")
        self.assertEqual((self.leak()["exported_count"], self.functions(self.leak()["exported_stack"])[0]), (1, "export_block"))
        self.says("      it was exported to other processes in export_block (")


if __name__ == "__main__":
    main()

"""Pinned and registered memory: what is left, in which state, and which calls were refused."""
from traced_case import KIB, MIB, TracedCase, main


class HostSide(TracedCase):
    program = "host_side"

    # as in sonots/cumo PR#176
    def test_frees_inside_host_functions_are_refused(self):
        self.run_case("pinned_in_callbacks")
        self.assertEqual(self.failures(), [("cuMemFreeHost", "failed", 800, 200)])
        self.assertEqual(self.failure()["stack"][0]["function"], "free_pinned_in_stream")
        self.assertEqual((self.failure()["nearest"]["role"], self.failure()["nearest"]["bytes"]), ("subject", 4 * KIB))
        self.assertEqual(self.leaks(), [("cudaHostAlloc", "pinned", "live", 200, 800 * KIB)])
        self.says(" failed 200 times with CUDA_ERROR_NOT_PERMITTED (800)\n    > free_pinned_in_stream ",
                  "      so it was not given back: 4.00 KiB, taken by cudaHostAlloc in pinned_in_callbacks (")

    def test_device_memory_in_host_functions(self):
        self.run_case("device_in_callbacks")
        self.assertEqual(self.failures(), [("cuMemFree", "failed", 800, 3)])
        self.assertEqual(self.leaks(), [("cudaMalloc", "device", "live", 3, 3 * MIB)])

    # as in iree PR#23779, checkpoint-engine#67, dora PR#2940, quda PR#1639
    def test_a_registration_that_nobody_takes_back(self):
        self.run_case("registered_and_unmapped")
        self.assertEqual(self.leaks(), [("cudaHostRegister", "registered", "unmapped", 1, MIB)])
        self.assertEqual(self.functions(self.site(self.leak())["stack"])[:2], ["map_and_register", "registered_and_unmapped"])

    def test_a_registration_that_outlives_its_memory(self):
        self.run_case("registered_by_driver_and_unmapped")
        self.assertEqual(self.leaks(), [("cuMemHostRegister", "registered", "unmapped", 1, MIB)])
        self.says("; the program has unmapped that memory and never unregistered it\n")

    def test_a_stale_registration_is_in_the_way(self):
        self.run_case("remapped_and_registered")
        self.assertEqual(self.failures(), [("cudaHostRegister", "failed", 712, 1)])
        nearest = self.failure()["nearest"]
        self.assertEqual((nearest["role"], nearest["address"], nearest["bytes"]),
                         ("in_the_way", self.failure()["last_address"], MIB))
        self.assertEqual(self.functions(self.site(nearest)["stack"])[0], "map_and_register")
        self.assertEqual([leak[0] for leak in self.leaks()], ["cudaHostRegister"])
        self.says("      in the way is an earlier registration of " + nearest["address"] +
                  ": 1.00 MiB, taken by cudaHostRegister in map_and_register (")

    def test_registrations_that_overlap(self):
        self.run_case("overlapping_registrations")
        failure = self.failure()
        self.assertEqual((failure["code"], failure["nearest"]["role"], failure["nearest"]["bytes"]), (712, "in_the_way", 2 * MIB))
        self.assertEqual(int(failure["last_address"], 16) - int(failure["nearest"]["address"], 16), MIB)
        self.assertEqual(self.leaks(), [])

    def test_unregistered_and_registered_again(self):
        self.run_case("unregistered_then_registered_again")
        self.assert_clean()

    def test_unregistered_by_a_wrong_address(self):
        self.run_case("unregistered_by_a_wrong_address")
        self.assertEqual(self.failures(), [("cudaHostUnregister", "stray", 1, 1)])
        self.assertEqual((self.failure()["address_is"], self.failure()["nearest"]["role"]), ("inside_block", "below"))
        self.assertEqual(self.leaks(), [("cudaHostRegister", "registered", "live", 1, MIB)])
        self.says("; that is 4.00 KiB into a block, not its start\n")

    def test_unregistered_twice(self):
        self.run_case("unregistered_twice")
        self.assertEqual(self.failures(), [("cudaHostUnregister", "double", 713, 1)])
        self.assertEqual(self.leaks(), [])

    def test_freed_by_the_c_library_while_registered(self):
        self.run_case("freed_while_registered")
        self.assertEqual(self.leaks(), [("cudaHostRegister", "registered", "unmapped", 1, 64 * MIB)])


if __name__ == "__main__":
    main()

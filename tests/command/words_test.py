"""The command line itself: verbs, help, version."""
from command_case import CommandCase, main


class Words(CommandCase):
    def test_version_and_help(self):
        self.assertEqual(self.run_command("--version"), 0)
        self.assertRegex(self.out, r"^gpumemtrace \d+\.\d+\.\d+\n$")
        for words in (["--help"], ["-h"], ["help"]):
            self.assertEqual(self.run_command(*words), 0)
            self.assertIn("gpumemtrace run [options] [--] PROGRAM [ARGUMENTS...]", self.out)
        for words in (["help", "run"], ["run", "--help"], ["run", "--leak-check", "-h"]):
            self.assertEqual(self.run_command(*words), 0)
            self.assertIn("--simulate SIZE", self.out)
            self.assertIn("--depth=1..256", self.out)
        self.assertEqual(self.run_command("help", "report"), 0)
        self.assertIn("--full-stacks", self.out)

    def test_nothing(self):
        self.assertEqual(self.run_command(), 125)
        self.assertIn("gpumemtrace help VERB", self.error)

    def test_mistakes(self):
        self.assert_refused("reprot is not a verb; the nearest is report (gpumemtrace help lists them)", "reprot")
        self.assert_refused("the verb is empty; gpumemtrace help lists them", "")
        self.assert_refused("frobnicate is not a verb; gpumemtrace help lists them", "frobnicate")
        self.assert_refused("./app is not a verb; to trace a program write: gpumemtrace run -- ./app", "./app")
        self.assert_refused("ruin is not a verb; the nearest is run (gpumemtrace help lists them)", "help", "ruin")

    def test_names_cannot_steer_the_terminal(self):
        self.assert_refused("\\x1b[31m is not a verb; gpumemtrace help lists them", "\033[31m")


if __name__ == "__main__":
    main()

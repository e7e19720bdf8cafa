"""gpumemtrace run and signals: passed on to the program, counted once, ignored where they were ignored."""
import os
import signal
import subprocess
import time

from command_case import RunCase, main


class Signals(RunCase):
    def start(self, script, *words, **more):
        process = subprocess.Popen([self.command, "run", *words, "--", "sh", "-c", script], cwd=self.folder,
                                   env={**self.environment, "STUB_SAMPLE": "clean"}, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, **more)
        self.assertEqual(process.stdout.readline(), b"ready\n")
        return process

    def test_forwarded(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2):
            with self.subTest(number.name):
                trap = f'trap "echo got; exit 5" {number.name[3:]}; echo ready; while :; do sleep 0.05; done'
                process = self.start(trap)
                process.send_signal(number)
                out, error = process.communicate(timeout=20)
                self.assertEqual((out, process.returncode), (b"got\n", 5))
                self.assertIn(b"no leaks", error)

    def test_the_default_action_ends_the_program(self):
        process = self.start("echo ready; exec sleep 20")
        process.terminate()
        error = process.communicate(timeout=20)[1]
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertIn(b"which was killed by signal 15", error)

    def test_a_terminals_interrupt_arrives_once(self):
        """Control-C at a terminal goes to the whole foreground group: the program counts one, the report is written."""
        pid, terminal = os.forkpty()
        if pid == 0:
            os.environ.clear()
            os.environ.update({**self.environment, "STUB_SAMPLE": "clean"})
            os.chdir(self.folder)
            script = 'n=0; trap "n=\\$((n+1))" INT; echo ready; for i in 1 2 3 4 5 6 7 8; do sleep 0.1; done; echo "count $n"; exit 9'
            os.execv(self.command, [self.command, "run", "--", "sh", "-c", script])
        text = b""
        sent = False
        while True:
            try:
                text += os.read(terminal, 4096)
            except OSError:
                break
            if b"ready" in text and not sent:
                time.sleep(0.2)
                os.write(terminal, b"\x03")
                sent = True
        status = os.waitpid(pid, 0)[1]
        self.assertEqual(os.waitstatus_to_exitcode(status), 9, text)
        self.assertIn(b"count 1", text)
        self.assertIn(b"no leaks", text)

    def test_ignored_signals_stay_ignored(self):
        process = self.start("echo ready; sleep 0.5; exit 4", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 4)

    def test_an_ignored_sigchld_costs_no_exit_code(self):
        """Whoever ignores SIGCHLD gets no status of a child; the program finds it ignored as before."""
        ignore = lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        for words, code in ((["sh", "-c", "exit 4"], 4), (["sh", "-c", "kill -9 $$"], 137),
                            (["grep", "SigIgn:", "/proc/self/status"], 0)):
            done = subprocess.run([self.command, "run", "--", *words], env=self.environment, capture_output=True,
                                  preexec_fn=ignore, timeout=20)
            self.assertEqual(done.returncode, code, words)
        self.assertTrue(int(done.stdout.split()[-1], 16) & 1 << signal.SIGCHLD - 1, done.stdout)


if __name__ == "__main__":
    main()

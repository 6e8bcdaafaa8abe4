"""D5, D6, D11, N10, N11, N15: what an app shows of itself, and what its user does with it."""
import os
import subprocess

from belfry_harness import DaemonTest, Refused, programs, recorded, recorder_section, wait_until


class User(DaemonTest):
    def recording(self, *names, extra=""):
        """A daemon with recorders of these names, silent; `self.out` has their files."""
        daemon = self.daemon(start=False)
        self.out = {}
        text = "[sound]\nenabled = no\n" + extra
        for name in names:
            section, self.out[name] = recorder_section(daemon.directory, name)
            text += section + "everything = yes\n"
        daemon.configure(text)
        return daemon.start()

    def belfry(self, daemon, *words):
        """The command's exit status and output, both streams."""
        done = subprocess.run(
            [os.path.join(programs(), "belfry"), "--socket", daemon.socket, *words],
            capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stdout + done.stderr

    def events(self, name, *kinds):
        return recorded(self.out[name], kinds)

    def test_D6_the_badge_is_read_set_and_cleared(self):
        daemon = self.recording("one")
        self.assertEqual(self.belfry(daemon, "badge"), (0, "0\n"))
        self.assertEqual(self.belfry(daemon, "badge", "7"), (0, "7\n"))
        self.assertEqual(daemon.call("Badge"), {"badge": 7})
        wait_until(lambda: [row["value"] for row in self.events("one", "badge")] == ["7"])
        daemon.kill()
        daemon.start()
        self.assertEqual(self.belfry(daemon, "badge"), (0, "7\n"))
        self.assertEqual(self.belfry(daemon, "badge", "0"), (0, "0\n"))
        wait_until(lambda: self.events("one", "badge")[-1]["value"] == "0")
        for wrong in (-1, 2**31, 2**63 - 1):
            with self.assertRaises(Refused) as refused:
                daemon.call("SetBadge", {"badge": wrong})
            self.assertEqual(refused.exception.parameters["field"], "badge")
        status, said = self.belfry(daemon, "badge", "--", "-1")
        self.assertEqual(status, 1)
        self.assertIn("badge: a badge is 0, which clears it", said)
        self.assertEqual(self.belfry(daemon, "badge", "many")[0], 2)

    def test_N11_a_notification_changes_the_badge_at_its_due(self):
        daemon = self.recording("one")
        daemon.call("SetBadge", {"badge": 5})
        daemon.schedule(alertBody="x", applicationIconBadgeNumber=2, badgeOperation="add")
        wait_until(lambda: daemon.call("Badge")["badge"] == 7)
        daemon.schedule(alertBody="x")
        daemon.schedule(alertBody="x", applicationIconBadgeNumber=-1)
        wait_until(lambda: daemon.call("Badge")["badge"] == 0)

"""P9, A1, A2: plugins that push (push/1), and do it badly."""
import os
import signal

from belfry_harness import built_plugin, recorded, wait_until
from spool_board import ALICE, SpoolTest, bodies, inbox


class PushPlugins(SpoolTest):
    def add(self, daemon, name="pusher", **settings):
        """Adds the fixture `pusher` to the daemon's configuration, under this name."""
        self.out = os.path.join(daemon.directory, f"{name}.out")
        lines = "".join(f"{key} = {value}\n" for key, value in settings.items())
        with open(os.path.join(daemon.directory, "belfry.conf"), "a", encoding="utf-8") as file:
            file.write(f"[plugin:{name}]\nfile = {built_plugin(daemon.directory, 'pusher')}\n"
                       f"out = {self.out}\n{lines}")

    def pushing(self, **settings):
        """A daemon with the spool and with the fixture `pusher` beside it."""
        daemon = self.board(start=False)
        self.add(daemon, **settings)
        return daemon.start()

    def told(self, count=1, out=None):
        """What the plugin was told, once it is so much."""
        out = out or self.out
        wait_until(lambda: len(recorded(out, ("pushed",))) >= count, what=f"{count} answers")
        return recorded(out, ("pushed",))

    def spool_goes_on(self, daemon):
        self.drop("beside", {"aps": {"alert": "beside"}})
        wait_until(lambda: "beside" in bodies(inbox(daemon)), what="the spool's push")

    def test_P9_a_plugins_push_is_answered(self):
        daemon = self.pushing(app="org.example.tea", id=7)
        self.assertEqual(self.told()[0]["status"], "0")
        self.assertEqual([entry["id"] for entry in inbox(daemon, "org.example.tea")],
                         ["00000000-0000-0000-0000-000000000007"])
        # In its next life it knows nothing of that; the clock does.
        os.kill(self.plugin(daemon, "pusher")["pid"], signal.SIGKILL)
        self.assertEqual(self.told(2)[1]["status"], "1")
        self.assertEqual(len(inbox(daemon, "org.example.tea")), 1)

    def test_A4_what_is_wrong_is_told_by_its_path(self):
        daemon = self.board(start=False)
        rows = {"badge": ('{"aps":{"badge":-1}}', "aps.badge:"), "nonsense": ("ding", "payload:"),
                "empty": ("{}", "aps:")}
        for name, (payload, _) in rows.items():
            self.add(daemon, name, app="org.example.tea", payload=payload)
        daemon.start()
        for name, (_, expected) in rows.items():
            row = self.told(out=os.path.join(daemon.directory, f"{name}.out"))[0]
            self.assertEqual(row["status"], "2")
            self.assertTrue(row["text"].startswith(expected), row)
        self.assertEqual(inbox(daemon, "org.example.tea"), [])

    def test_A1_a_plugin_pushes_for_the_user_that_it_names(self):
        daemon = self.board()
        daemon.call("SetBadge", {"app": "org.example.tea", "badge": 1})
        daemon.kill()
        rows = {
            "hers": ("org.example.tea", ALICE, "2", "app:"), "mine": ("org.example.mine", ALICE, "0", ""),
            "roots": ("user.0", ALICE, "2", "app:"), "own": ("", ALICE, "0", ""),
            "nobodys": ("", -1, "2", "app:"), "odd": ("no app", 0, "2", "app:"),
            "operators": ("org.example.tea", -1, "0", ""), "root": ("org.example.mine", 0, "0", ""),
        }
        for name, (app, owner, _, _) in rows.items():
            self.add(daemon, name, app=app, owner=owner)
        daemon.start()
        for name, (_, _, status, text) in rows.items():
            with self.subTest(name=name):
                row = self.told(out=os.path.join(daemon.directory, f"{name}.out"))[0]
                self.assertEqual(row["status"], status, row)
                self.assertTrue(row["text"].startswith(text), row)
        self.assertEqual(len(inbox(daemon, f"user.{ALICE}")), 1)

    def test_A2_a_plugin_that_floods_harms_nobody(self):
        daemon = self.board(start=False)
        self.add(daemon, "endless", do="repeat", app="org.example.flood")
        endless = self.out
        self.add(daemon, "flood", do="flood", app="org.example.tea")
        daemon.start()
        wait_until(lambda: len(recorded(endless, ("pushed",))) > 2000, what="its pushes")
        rows = wait_until(lambda: len(recorded(self.out, ("push",))) >= 200
                          and recorded(self.out, ("push",)), what="the host's answers")
        self.assertEqual([row["answer"] for row in rows[:200]], ["0"] * 64 + ["-3"] * 136)
        self.assertEqual(len(self.told(64)), 64)
        self.assertEqual(len(inbox(daemon, "org.example.tea")), 64)
        self.spool_goes_on(daemon)
        # The inbox is bounded, and the plugin still has its first life.
        self.assertLessEqual(len(inbox(daemon, "org.example.flood")), 1000)
        self.assertEqual(self.plugin(daemon, "endless")["restarts"], 0)

    def test_D8_plugins_that_break_the_rules_or_die_of_an_answer_harm_nobody(self):
        daemon = self.board(start=False)
        names = ("break", "bytes", "die", "thread", "largest")
        for name in names:
            self.add(daemon, name, do=name, app="org.example." + name)
        daemon.start()
        first = {name: self.told(out=os.path.join(daemon.directory, f"{name}.out"))[0]
                 for name in names}
        self.assertTrue(first["bytes"]["text"].startswith("aps.alert:"), first)
        self.assertEqual({name: row["status"] for name, row in first.items()},
                         {name: "2" if name == "bytes" else "0" for name in names})
        # Each life pushes anew, under no id: each push is another.
        wait_until(lambda: self.plugin(daemon, "die")["restarts"] > 1, what="its ends")
        self.spool_goes_on(daemon)
        self.assertEqual([self.plugin(daemon, name)["restarts"] for name in names if name != "die"],
                         [0] * 4)

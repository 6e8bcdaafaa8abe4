"""A2, D7, D8: what one user asks for in floods costs no other user's work, nor his alarms."""
import json
import os
import select
import signal
import socket
import unittest

from belfry_harness import INTERFACE, PATIENCE, DaemonTest, as_user, microseconds, recorder_section

STRANGER = 4242
NEIGHBOUR = 4343
CONNECTIONS = 40


def categories(letter):
    return [{"identifier": f"c{number}", "actions": [
        {"identifier": f"a{action}", "title": letter * 200} for action in range(4)]}
        for number in range(64)]


def nights(interval):
    """Rules whose occurrences are far to find, each within its budget."""
    return [f"FREQ=MINUTELY;INTERVAL={interval + 2 * number};BYHOUR=1" for number in range(2)]


# Calls that have something written, and such as cost much to answer.
FLOODS = {
    "PresentNow": [("PresentNow", {"notification": {
        "identifier": f"p{number}", "alertBody": "x", "userInfo": {"a": "x" * 30_000}}})
        for number in range(10)],
    "Push": [("Push", {"payload": {"aps": {"alert": "x"}, "more": "x" * 4000, f"n{number}": 1}})
             for number in range(50)],
    "SetBadge": [("SetBadge", {"badge": number}) for number in range(200)],
    "RegisterSettings": [("RegisterSettings", {
        "settings": {"alert": True, "badge": True, "sound": True}, "categories": categories(letter)})
        for letter in "ab"],
    "Test": [("Test", {})] * 50,
    "Skip": [(method, {"identifier": "night", **more}) for method, more in (
        ("Skip", {"count": 1000}), ("Unskip", {}))] * 20,
}


def flood(path, calls, answered):
    """Asks for these again and again on many connections and reads what is answered, of which the first
    is told; never returns."""
    message = b"".join(
        json.dumps({"method": f"{INTERFACE}.{method}", "parameters": parameters}).encode() + b"\0"
        for method, parameters in calls)
    poll, clients = select.epoll(), {}
    for _ in range(CONNECTIONS):
        client = socket.socket(socket.AF_UNIX)
        client.connect(path)
        client.setblocking(False)
        clients[client.fileno()] = [client, 0]
        poll.register(client, select.EPOLLIN | select.EPOLLOUT)
    while True:
        for descriptor, ready in poll.poll():
            entry = clients[descriptor]
            try:
                if ready & select.EPOLLIN and entry[0].recv(1 << 18) and answered is not None:
                    os.close(answered)
                    answered = None
                if ready & select.EPOLLOUT:
                    entry[1] = (entry[1] + entry[0].send(message[entry[1]:])) % len(message)
            except BlockingIOError:
                pass


@unittest.skipUnless(os.geteuid() == 0, "needs other users")
class Floods(DaemonTest):
    def board(self):
        daemon = self.daemon(start=False)
        section, self.out = recorder_section(daemon.directory, "witness")
        daemon.configure("[sound]\nenabled = no\n[clock]\ntrust = always\n" + section)
        os.chmod(daemon.directory, 0o755)
        return daemon.start()

    def begin(self, daemon, calls):
        """A flood by a stranger, under way; its process."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(reading)
                os.setgroups([])
                os.setresgid(STRANGER, STRANGER, STRANGER)
                os.setresuid(STRANGER, STRANGER, STRANGER)
                flood(daemon.socket, calls, writing)
            finally:
                os._exit(0)
        self.addCleanup(self.end, child)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            pipe.read()
        return child

    def end(self, child):
        try:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        except (ProcessLookupError, ChildProcessError):
            pass

    def ask(self, daemon, uid, calls):
        """The answers to calls that another user pipelines."""
        def work():
            with daemon.connect(timeout=PATIENCE) as connection:
                for method, parameters in calls:
                    connection.send(method, parameters)
                return [connection.result() for _ in calls]
        return as_user(uid, work)

    def test_A2_D8_what_is_acknowledged_beside_a_flood_is_there_after_a_kill(self):
        for name, calls in FLOODS.items():
            with self.subTest(flood=name):
                daemon = self.board()
                self.ask(daemon, STRANGER, [("Schedule", {"notification": {
                    "identifier": "night", "alertBody": "x", "fireDate": microseconds(60),
                    "rrules": nights(1441)}})])
                for number in range(3):
                    app = f"own{number}"
                    self.ask(daemon, NEIGHBOUR, [("Schedule", {"app": app, "notification": {
                        "identifier": "bell", "alertBody": "x", "fireDate": microseconds(3600),
                        "repeatInterval": "day"}})])
                child = self.begin(daemon, calls)
                for number in range(3):
                    app = f"own{number}"
                    self.ask(daemon, NEIGHBOUR, [
                        ("SetBadge", {"app": app, "badge": 7 + number}),
                        ("RegisterSettings", {"app": app, "categories": [], "settings": {
                            "alert": True, "badge": True, "sound": False}}),
                        ("Skip", {"app": app, "identifier": "bell", "count": 2}),
                        ("Pause", {"app": app, "until": microseconds(600)}),
                        ("PresentNow", {"app": app, "notification": {
                            "identifier": "now", "alertBody": app}})])
                self.end(child)
                daemon.kill()
                daemon.start()
                for number in range(3):
                    app = f"own{number}"
                    badge, settings, listed = self.ask(daemon, NEIGHBOUR, [
                        ("Badge", {"app": app}), ("Settings", {"app": app}),
                        ("List", {"app": app})])
                    self.assertEqual(badge["badge"], 7 + number)
                    self.assertFalse(settings["settings"]["sound"])
                    row, = listed["notifications"]
                    self.assertEqual(row["state"], "paused")
                    self.assertTrue(any("skipped by request" in run["reason"]
                                        for run in row["skipped"]), row)
                daemon.stop()
                self.assertNotIn("dropped", daemon.log_text())


if __name__ == "__main__":
    unittest.main()

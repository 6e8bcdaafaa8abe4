"""A daemon with a spool folder, and what is asked of it by several tests."""
import json
import os

from belfry_harness import PATIENCE, DaemonTest, wait_until

ALICE, BOB = 1001, 1002
QUIET = "[sound]\nenabled = no\n"


def inbox(daemon, app="user.0", container=""):
    """All entries of an inbox, page after page."""
    with daemon.connect() as connection:
        return [entry for page in connection.stream(
                    "FetchInbox", {"app": app, "container": container, "limit": 1000})
                for entry in page.get("entries", [])]


def bodies(entries):
    return [entry["payload"]["aps"].get("alert") for entry in entries]


class SpoolTest(DaemonTest):
    def board(self, settings="", extra="", start=True, **options):
        """A daemon with a spool folder; `settings` are the plugin's."""
        daemon = self.daemon(start=False, **options)
        self.folder = os.path.join(daemon.directory, "spool")
        self.staging = os.path.join(daemon.directory, "staging")
        os.mkdir(self.folder, 0o755)
        os.mkdir(self.staging)
        daemon.configure(f"{QUIET}{extra}\n[plugin:spool]\nfile = pushfile\n"
                         f"folder = {self.folder}\n{settings}")
        return daemon.start() if start else daemon

    def drop(self, name, payload, owner=None):
        """Renames a file into the spool, whole."""
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        path = os.path.join(self.staging, name.replace("/", "_"))
        with open(path, "wb") as file:
            file.write(data)
        if owner is not None:
            os.chown(path, owner, owner)
        os.rename(path, os.path.join(self.folder, name))

    def left(self):
        return sorted(set(os.listdir(self.folder)) - {"rejected"})

    def reason(self, name, seconds=PATIENCE):
        """Why a file was set aside, once it is."""
        path = os.path.join(self.folder, os.path.dirname(name), "rejected", os.path.basename(name))
        wait_until(lambda: os.path.lexists(path), seconds, f"{name} set aside")
        with open(path + ".reason", encoding="utf-8") as file:
            return file.read()

    def plugin(self, daemon, name="spool"):
        status = daemon.call("Status")["status"]
        return next(row for row in status["plugins"] if row["name"] == name)

    def worker(self, daemon):
        return wait_until(lambda: self.plugin(daemon).get("pid"), what="its worker")

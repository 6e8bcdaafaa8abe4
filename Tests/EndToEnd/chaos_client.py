"""What a user of the chaos run asks with, and the journal of what was asked and answered.

Three kinds of client: raw Varlink of the harness, the `varlink` package of PyPI, and `belfry`.
"""
import json
import os
import subprocess
import time

import varlink

from belfry_harness import INTERFACE, Connection, Refused, programs

# A disk that blocks is given back long before.
PATIENCE = 30


class Down(Exception):
    """There is no daemon: nothing was asked."""


class Broken(Exception):
    """The reply never came: nobody knows whether it was done."""


class RawClient:
    kind = "raw"

    def __init__(self, path):
        self.path = path
        self.connection = None

    def connected(self):
        if self.connection is None:
            try:
                self.connection = Connection(self.path, PATIENCE)
            except OSError as error:
                raise Down from error
        return self.connection

    def call(self, method, parameters):
        connection = self.connected()
        try:
            return connection.call(method, parameters)
        except OSError as error:
            self.close()
            raise Broken from error

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


class PackageClient:
    """The unmodified client that people have."""
    kind = "package"

    def __init__(self, path):
        self.path = path
        self.handler = None

    def call(self, method, parameters):
        if self.handler is None:
            try:
                self.handler = varlink.Client(f"unix:{self.path}").open(INTERFACE)
            except (OSError, varlink.VarlinkError, KeyError, StopIteration) as error:
                raise Down from error
        try:
            return getattr(self.handler, method)(**parameters)
        except varlink.VarlinkError as error:
            raise Refused(error.error(), error.parameters() or {}) from error
        except (OSError, StopIteration, KeyError) as error:
            self.close()
            raise Broken from error

    def close(self):
        if self.handler is not None:
            try:
                self.handler.close()
            except OSError:
                pass
            self.handler = None


class CommandClient:
    """`belfry`, once a request; it knows Schedule with a fireDate, Cancel, Dismiss and Push."""
    kind = "command"

    def __init__(self, path):
        self.path = path

    def words(self, method, parameters):
        if method == "Schedule":
            notification = parameters["notification"]
            micros = notification["fireDate"]
            at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(micros // 1_000_000))
            return ["schedule", "--id", notification["identifier"], "--body",
                    notification["alertBody"], "--at", f"{at}.{micros % 1_000_000:06}Z"]
        if method == "Cancel":
            return ["cancel", *parameters["identifiers"]]
        if method == "Dismiss":
            return ["dismiss", parameters["id"]]
        return ["push", "-"]

    def call(self, method, parameters):
        try:
            done = subprocess.run(
                [os.path.join(programs(test_build=True), "belfry"), "--socket", self.path,
                 "--json", *self.words(method, parameters)],
                input=json.dumps(parameters.get("payload", {})), capture_output=True, text=True,
                timeout=PATIENCE, check=False, cwd="/", env={"PATH": "/usr/bin:/bin"})
        except subprocess.TimeoutExpired as error:
            raise Broken from error
        if done.returncode == 3:
            raise Broken(done.stderr)
        if done.returncode != 0:
            raise Refused(f"exit {done.returncode}", {"said": done.stderr.strip()})
        return json.loads(done.stdout) if done.stdout.startswith("{") else {}

    def close(self):
        pass


class Journal:
    """A line of JSON for each request that was made, whatever came of it."""

    def __init__(self, path):
        self.path = path
        self.file = open(path, "a", encoding="utf-8")

    def write(self, **line):
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()

    def lines(self):
        with open(self.path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]


class Asker:
    """Asks with one of several clients, and keeps the journal."""

    def __init__(self, path, clients, journal, random):
        self.clients = [kind(path) for kind in clients]
        self.journal = journal
        self.random = random

    def ask(self, operation, identifier, method, parameters, only=None, **facts):
        """The reply; None where it was refused or never came. Raises Down."""
        fitting = [each for each in self.clients if only is None or each.kind in only]
        client = self.random.choice(fitting)
        asked, reply, outcome, reason = time.time_ns(), None, "ok", None
        try:
            reply = client.call(method, parameters)
        except Refused as refused:
            outcome, reason = "refused", str(refused)
        except Broken:
            outcome = "broken"
        kept = {name: reply[name] for name in ("next", "duplicate", "unchanged", "scheduled", "warnings")
                if reply and name in reply}
        self.journal.write(
            op=operation, id=identifier, asked=asked, answered=time.time_ns(), outcome=outcome,
            reason=reason, client=client.kind, reply=kept, **facts)
        return reply

    def close(self):
        for client in self.clients:
            client.close()

"""A private belfryd for end-to-end tests and benchmarks: start, talk raw Varlink, stop, kill.

The programs come from the folder in BELFRY_BIN (the lean build), those with failpoints and the fault
VFS from BELFRY_TEST_BIN; both are set by Tests/EndToEnd/run.
"""
import atexit
import fcntl
import functools
import json
import os
import pathlib
import shlex
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
import zlib

# A shell that starts this in the background has SIGINT ignored, and every child would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

INTERFACE = "io.belfry.Scheduler"
# Seconds after which a wait gives up: no verdict, only an end for what would never come.
PATIENCE = 60
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Becomes belfryd with this descriptor as number 3, as systemd does it (sd_listen_fds(3)).
ACTIVATE = """
import os, sys
count, number, program, *words = sys.argv[1:]
os.dup2(int(number), 3)
if count == "2": os.dup2(int(number), 4)
os.environ.update(LISTEN_FDS=count, LISTEN_PID=str(os.getpid()))
os.execv(program, [program, *words])
"""


def programs(test_build=False):
    name = "BELFRY_TEST_BIN" if test_build else "BELFRY_BIN"
    folder = os.environ.get(name)
    if not folder:
        raise RuntimeError(f"{name} is not set; run Tests/EndToEnd/run")
    if folder == "none":
        raise unittest.SkipTest("there are no programs that can be broken on purpose")
    return reachable(folder)


@functools.cache
def reachable(folder):
    """The folder, or a copy of its programs that every user can reach: a checkout may be in root's
    home, which is closed to others."""
    parents = [folder, *map(str, pathlib.Path(folder).resolve().parents)]
    if all(os.stat(parent).st_mode & stat.S_IXOTH for parent in parents):
        return folder
    copy = tempfile.mkdtemp(prefix="belfry-programs-", dir="/tmp")
    atexit.register(shutil.rmtree, copy, ignore_errors=True)
    os.chmod(copy, 0o755)
    for entry in os.scandir(folder):
        if entry.is_file() and os.access(entry.path, os.X_OK):
            shutil.copy(entry.path, copy)
    return copy


@functools.cache
def scratch():
    """A folder in memory for the daemons' directories, so that no test waits for the disk of a busy
    machine; /tmp where there is none that everybody can reach, that has room, and where programs
    and plugins may run. TMPDIR only if it is short: a socket's path may have 107 bytes."""
    for folder in (os.environ.get("TMPDIR", ""), "/dev/shm"):
        folder = os.path.realpath(folder) if folder else ""
        path = pathlib.Path(folder)
        if not (path.is_relative_to("/dev/shm") and path.is_dir() and os.access(folder, os.W_OK)):
            continue
        short = len(os.fsencode(os.path.join(folder, "belfry-12345678", "socket"))) < 100
        open_to_all = path.stat().st_mode & 0o7777 == 0o1777 and all(
            parent.stat().st_mode & stat.S_IXOTH for parent in path.parents)
        room = os.statvfs(folder)
        if short and open_to_all and not room.f_flag & os.ST_NOEXEC \
                and room.f_bavail * room.f_frsize > 1 << 30:
            return folder
    return "/tmp"


def printed_lateness(name, rows):
    """Prints how late a recorder's rows came, in a line that benchmarks can read; the milliseconds.
    How late is too late is judged in virtual time, not here."""
    late = sorted((int(row["entered"]) - int(row["due"])) / 1e6 for row in rows)
    print(f"lateness: {name} p50 {late[len(late) // 2]:.2f} ms max {late[-1]:.2f} ms")
    return late


def wait_until(condition, seconds=PATIENCE, what="the condition"):
    """Returns the first true value of condition(); raises AssertionError after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not come true in {seconds} s")
        time.sleep(0.005)


def rounds_of(wanted):
    """How many kills a test makes: `wanted`, or at most BELFRY_KILLS."""
    return min(wanted, int(os.environ.get("BELFRY_KILLS", wanted)))


def until_a_third(rounds, met):
    """Numbers the rounds of a test that kills: so many, and more until in a third of them the kill met
    what it was to meet (`met()` counts), at most three times as many. Where it meets is up to the
    machine."""
    number = 0
    while number < rounds or (met() * 3 < rounds and number < 3 * rounds):
        yield number
        number += 1


def fixed_seed(name):
    """The seed of a random test: the same in each run, or another for each number in BELFRY_FRESH."""
    return zlib.crc32((name + os.environ.get("BELFRY_FRESH", "")).encode())


def quiet(what):
    """Marks a test or a class for the quiet lane, where nothing else runs: it sets the machine's clock,
    counts wake-ups, or looks at processes that are not its own."""
    what.is_quiet = True
    return what


def microseconds(seconds_from_now=0.0):
    """An instant of the wire."""
    return time.time_ns() // 1000 + int(seconds_from_now * 1_000_000)


def compiler():
    """The words of the C compiler for what the programs load: CC, where they are of another machine."""
    return shlex.split(os.environ.get("CC", "cc"))


def built_plugin(folder, name):
    """Compiles Tests/Fixtures/Plugins/NAME.c into the folder; returns the shared object's path."""
    library = os.path.join(folder, f"{name}.so")
    subprocess.run(
        [*compiler(), "-O2", "-shared", "-fPIC", "-I", f"{ROOT}/CInterop/CPlugin/include", "-o", library,
         f"{ROOT}/Tests/Fixtures/Plugins/{name}.c"], check=True)
    return library


def recorder_section(folder, name):
    """A configuration section for a recorder plugin, and the file it writes to."""
    out = os.path.join(folder, f"{name}.recorded")
    return f"[plugin:{name}]\nfile = {built_plugin(folder, 'recorder')}\nout = {out}\n", out


def recorded(path, events=("show", "update")):
    """The lines that a recorder has written for these events, as dictionaries."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        # Read at once: line by line, the two halves of one that is being written would be two lines.
        rows = [dict(field.split("=", 1) for field in line.split())
                for line in file.read().split("\n")[:-1]]
    return [row for row in rows if row["event"] in events]


def as_user(uid, work):
    """What `work` returns in a process of another user, by way of JSON. Not another program: neither
    Python nor the checkout need be readable to everyone."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            with os.fdopen(writing, "w", encoding="utf-8") as pipe:
                json.dump(work(), pipe)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer)


class Refused(Exception):
    """A Varlink error reply."""

    def __init__(self, name, parameters):
        super().__init__(f"{name} {json.dumps(parameters)}")
        self.name = name.removeprefix(INTERFACE + ".")
        self.parameters = parameters


class Connection:
    """Raw Varlink over the socket: JSON objects that end with NUL."""

    def __init__(self, path, timeout=2 * PATIENCE):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        try:
            self.socket.connect(path)
        except OSError:
            self.socket.close()
            raise
        self.buffer = b""

    def send(self, method, parameters=None, **flags):
        call = {"method": method if "." in method else f"{INTERFACE}.{method}", **flags}
        if parameters is not None:
            call["parameters"] = parameters
        self.send_bytes(json.dumps(call).encode() + b"\0")

    def send_bytes(self, data):
        self.socket.sendall(data)

    def waiting(self):
        """Bytes that have come and were not read."""
        return struct.unpack("i", fcntl.ioctl(self.socket, termios.FIONREAD, b"\0" * 4))[0]

    def receive(self):
        """The next reply as it stands; raises ConnectionError at the end of the stream."""
        while b"\0" not in self.buffer:
            data = self.socket.recv(1 << 16)
            if not data:
                raise ConnectionError("the daemon closed the connection")
            self.buffer += data
        frame, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(frame)

    def result(self):
        """The next reply's parameters; raises Refused."""
        reply = self.receive()
        if "error" in reply:
            raise Refused(reply["error"], reply.get("parameters", {}))
        return reply.get("parameters", {})

    def call(self, method, parameters=None):
        self.send(method, parameters)
        return self.result()

    def stream(self, method, parameters=None):
        """Yields the parameters of each reply to a call with `more`, to the last one."""
        self.send(method, parameters, more=True)
        while True:
            reply = self.receive()
            if "error" in reply:
                raise Refused(reply["error"], reply.get("parameters", {}))
            yield reply.get("parameters", {})
            if not reply.get("continues"):
                return

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Daemon:
    """belfryd on a directory of its own."""

    def __init__(self, configuration="", directory=None, test_build=False, environment=None,
                 arguments=(), prefix=()):
        self.own = directory is None
        self.directory = directory or tempfile.mkdtemp(prefix="belfry-", dir=scratch())
        self.socket = os.path.join(self.directory, "socket")
        self.log = os.path.join(self.directory, "log")
        self.test_build = test_build
        self.environment = environment or {}
        self.arguments = arguments
        self.prefix = prefix
        self.process = None
        self.configure(configuration)

    def configure(self, text):
        path = os.path.join(self.directory, "belfry.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o600)

    def start(self, wait=True, **environment):
        """Starts it and waits until its socket answers."""
        folder = programs(self.test_build)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*self.prefix, os.path.join(folder, "belfryd"), "--directory", self.directory,
                 *self.arguments],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **self.environment, **environment})
        if wait:
            wait_until(self.answers, what="an answer on the socket")
        return self

    def activate(self, listener, count="1"):
        """Starts it with `listener` as the service manager's socket; does not wait."""
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", ACTIVATE, count, str(listener.fileno()),
                 os.path.join(programs(self.test_build), "belfryd"),
                 "--directory", self.directory],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[listener.fileno()],
                env={**os.environ, **self.environment})

    def answers(self):
        if self.process.poll() is not None:
            raise AssertionError(
                f"belfryd ended with status {self.process.returncode}:\n{self.log_text()}")
        try:
            with Connection(self.socket) as connection:
                connection.call("org.varlink.service.GetInfo")
                return True
        except (OSError, ConnectionError):
            return False

    def connect(self, timeout=2 * PATIENCE):
        return Connection(self.socket, timeout)

    def call(self, method, parameters=None):
        with self.connect() as connection:
            return connection.call(method, parameters)

    def schedule(self, **notification):
        return self.call("Schedule", {"notification": notification})

    def listed(self, **parameters):
        """All rows of List."""
        with self.connect() as connection:
            return [
                row for page in connection.stream("List", parameters)
                for row in page.get("notifications", [])]

    def history(self, **parameters):
        """All rows of History."""
        with self.connect() as connection:
            return [
                row for page in connection.stream("History", parameters)
                for row in page.get("deliveries", [])]

    def log_text(self):
        try:
            with open(self.log, encoding="utf-8", errors="replace") as log:
                return log.read()
        except FileNotFoundError:
            return ""

    def microseconds(self, seconds_from_now=0.0):
        """An instant of the wire, by the daemon's clock."""
        return microseconds(seconds_from_now)

    def until(self, condition, what="the condition"):
        """Waits for the first true value of condition()."""
        return wait_until(condition, what=what)

    def says(self, text, seconds=PATIENCE):
        """Waits until its log has this; lines are written by a thread of their own."""
        try:
            wait_until(lambda: text in self.log_text(), seconds)
        except AssertionError:
            raise AssertionError(f"{text!r} is not in the log: {self.log_text()[-2000:]}") from None

    def children(self):
        """Pids of the daemon's child processes."""
        path = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        with open(path, encoding="ascii") as file:
            direct = [int(pid) for pid in file.read().split()]
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            if int(task) == self.process.pid:
                continue
            with open(f"/proc/{self.process.pid}/task/{task}/children", encoding="ascii") as file:
                direct += [int(pid) for pid in file.read().split()]
        return direct

    def kill(self):
        """kill -9, and waits for its end."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        return self.process.wait()

    def whole_log(self):
        """Ends it; its log, with nothing on the way: for what must not be in it."""
        self.stop()
        return self.log_text()

    def stop(self, seconds=PATIENCE / 2):
        """SIGTERM; returns the exit status."""
        if self.process is None:
            return None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"belfryd did not stop in {seconds} s of SIGTERM") from None

    def remove(self):
        """Ends it and removes its directory."""
        if self.process and self.process.poll() is None:
            self.kill()
        if self.own:
            shutil.rmtree(self.directory, ignore_errors=True)


class DaemonTest(unittest.TestCase):
    """A test with daemons that end with it; a failure shows the end of each one's log."""

    def daemon(self, configuration="", start=True, **options):
        daemon = Daemon(configuration, **options)
        self.addCleanup(self.finish, daemon)
        return daemon.start() if start else daemon

    def shown(self):
        """The identifiers that the recorder at `self.out` has shown, in order."""
        return [row["identifier"] for row in recorded(self.out)]

    def finish(self, daemon):
        outcome = getattr(self, "_outcome", None)
        result = getattr(outcome, "result", None)
        if result and any(test is self for test, _ in result.failures + result.errors):
            print(f"--- log of belfryd ---\n{daemon.log_text()[-4000:]}")
        daemon.remove()

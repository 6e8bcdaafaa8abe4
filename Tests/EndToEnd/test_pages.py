"""Every example of the pages runs as it stands there, and what a page shows below it is what comes.

A fenced block is run by the test that takes its section here, or stands in ELSEWHERE or NOT_RUN; a
new one that nobody takes up is a failure. Tests/README.md, for developers, has no part in this.
"""
import collections
import functools
import glob
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from belfry_harness import PATIENCE, ROOT, DaemonTest, programs, scratch, wait_until

FRONT = "README.md"
USING = "Sources/BelfryServer/README.md"
RUNNING = "Sources/BelfryDaemon/README.md"
PACKAGES = "Sources/Packaging/README.md"
PUSHES = "Sources/BelfryWire/Push/README.md"
PLUGINS = "plugins/README.md"
KIT = "Sources/BelfryKit/BelfryKit.docc/BelfryKit.md"
SURPRISES = "Sources/BelfryKit/BelfryKit.docc/Surprises.md"
UIKIT = "Sources/BelfryUIKit/BelfryUIKit.docc/BelfryUIKit.md"
CLOUDKIT = "Sources/BelfryCloudKit/BelfryCloudKit.docc/BelfryCloudKit.md"

# Page, words of the block, the file of the test that runs it, and words of that test.
FIRST_WEEK = "Tests/EndToEnd/test_first_week.py", "test_the_first_python_of_the_pages_runs"
ELSEWHERE = (
    (FRONT, "print(belfry.Schedule(", *FIRST_WEEK),
    (USING, "import datetime, zoneinfo, varlink", *FIRST_WEEK),
    (USING, "stream.OpenSession(", *FIRST_WEEK),
    (PLUGINS, "// A whole plugin: ", "Tests/check-header", 'cmp "$work/shown.c"'),
    (PACKAGES, "Sources/Packaging/install ", "Tests/EndToEnd/test_packages.py",
     "test_each_file_is_named_and_all_of_them_are_there"),
    (PACKAGES, "./install.sh", "Tests/EndToEnd/init_roots.py", "cd /packages/belfry-* && ./install.sh"),
    (SURPRISES, "", "Tests/BelfryKitTests/SurpriseTests.swift", "everyExampleIsRunHere"),
    (CLOUDKIT, "final class ListApp: ", "Tests/BelfryUIKitTests/PushSampleTests.swift",
     "theWorkedExampleStandsInTheDocumentation"),
)
# Page, words of the block, and why nobody runs it.
NOT_RUN = (
    (FRONT, "asks, in JSON over a Unix socket", "a picture"),
    (FRONT, ".build/release/belfry try", "installs packages and builds; test_try.py has the rest"),
    (FRONT, "swift test && Tests/EndToEnd/run", "installs packages, builds, and runs this test"),
    (FRONT, "try await Scheduler().schedule(tea)", "Swift, which these tests do not build"),
    (PACKAGES, "apt-get install ./belfry_", "installs a package and starts the service"),
    (PACKAGES, ".package(url: ", "Swift, which these tests do not build"),
    (PACKAGES, "Sources/Packaging/package arm64", "fetches libraries and builds; .ci/long boards does"),
    ("Sources/README.md", "Varlink: JSON", "a picture"),
    (PUSHES, "import BelfryCloudKit", "Swift, which these tests do not build"),
    (KIT, "import BelfryKit", "Swift, which these tests do not build"),
    (UIKIT, "import BelfryUIKit", "Swift, which these tests do not build"),
)
# Words of a command in a block that is run, and why it is left out.
LEFT_OUT = (
    ("swift build ", "the programs are there"),
    ("systemctl ", "no systemd needs to run here"),
    ("systemd-sysusers ", "it makes users"),
)
# What stands in a block, and what is run instead.
INSTEAD = (
    ("belfry watch  ", "until_ctrl_c belfry watch  "),
    # This machine may have faults.
    ("belfry doctor  ", "belfry doctor || [ $? = 1 ]  "),
    # A busy machine may take longer than the page waits, and this one less long.
    ("sleep 2; belfry snooze alarm", "until_shown alarm; belfry snooze alarm"),
    ("sleep 3; belfry act alarm", "until_shown alarm; belfry act alarm"),
    ("sleep 1; belfry dismiss tea", "until_shown tea; belfry dismiss tea"),
    ("sleep 1; belfry days list", "until belfry days list | grep good; do sleep 0.1; done"),
    ("sleep 6; cat /tmp/bells/spool/rejected/oops.reason",
     "until cat /tmp/bells/spool/rejected/oops.reason 2> /dev/null; do sleep 0.1; done"),
    # Not every machine has a user bell.
    ("user = bell\n", f"user = {pwd.getpwuid(os.getuid()).pw_name}\n"),
)
# Before each command of a block, the number of its line. Ctrl-C comes once something was shown.
PRELUDE = (
    "until_ctrl_c() { env --default-signal=INT \"$@\" > seen & "
    "until grep -qs console seen; do belfry test --to console > /dev/null; done; "
    "kill -INT $!; wait $! || [ $? = 130 ]; cat seen; }; "
    "until_shown() { until belfry list --delivered | grep \"^$1 \"; do sleep 0.1; done; }; "
    "trap 'printf \"\\036%s \" $LINENO' DEBUG; ")
# What a command may say on standard error beside what was asked.
WARNS = re.compile(
    r"belfry: warning: (\w{3}( \d{4}-\d\d-\d\d)? \d\d:\d\d does not ring: .* are days off: Winter "
    r"\(holidays\)|it waits for a first fix: nobody has said yet where the board is)\n")
# A comment that says what comes of its command, and what must come.
COMES = {
    "one line an event, until Ctrl-C": r"(?m)^\d\d:\d\d:\d\d\.\d{3}  delivered +\S+ +by console, ",
    "due, how late, where, with what outcome":
        r"^DUE +LATE +SINK +STATE .*\n(.*\n)*.* console +delivered ",
    "a full alert through every sink": r"(?m)^console .*\n(.*\n)*speaker ",
    "its id, and a token; later: --since TOKEN":
        r"^ID .*\n[0-9a-f-]{36}  base .* Bed 12 calls *\ntoken: \S+\n$",
    "3": r"^3\n$",
    "the entry, then {\"token\": …}": r"\"nid\":\"2f9a4a4b-.*\n\{\"token\":\"[^\"]+\",.*\}\n$",
    "once more: that it was read": r"(?m)^2f9a4a4b-\S+ +read .*\ntoken: \S+\n",
    "aps.badge: this is between 0 and 2147483647":
        r"^aps\.badge: this is between 0 and 2147483647\n$",
}
# What differs from day to day, and how wide it makes a column.
DAILY = ((re.compile(r"\bin \d+ d( \d+ h)?(?= |$)", re.M), "in …"), (re.compile(" {2,}"), "  "))

Block = collections.namedtuple("Block", "page line heading language text")
# Page and heading, and the test that runs what stands there.
TAKEN = {}


def pages():
    found = [path for folder in ("Sources", "plugins")
             for path in glob.glob(f"{ROOT}/{folder}/**/*.md", recursive=True)]
    return [FRONT, *sorted(os.path.relpath(path, ROOT) for path in found)]


@functools.cache
def blocks(page):
    """The fenced blocks of a page."""
    found, heading, fence, begun = [], "", None, 0
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            mark = re.match(r" *```(\w*)", line)
            if fence is not None and not mark:
                fence.append(line)
            elif fence is not None:
                found.append(Block(page, begun, heading, language, "".join(fence)))
                fence = None
            elif mark:
                language, fence, begun = mark[1], [], number
            elif line.startswith("#"):
                heading = line.strip("# \n")
    return found


def rows_of(block, table):
    return [row for row in table if row[0] == block.page and row[1] in block.text]


def kind_of(block):
    """What runs it; None: nothing."""
    if block.language == "ini":
        return "manifest" if block.text.startswith("[app]") else "configuration"
    if block.language == "text":
        if block.text.startswith("$ "):
            return "transcript"
        if re.match(r"(#.*\n)*\d{4}-\d\d-\d\d", block.text):
            return "days"
    return {"sh": "shell", "python": "python"}.get(block.language)


def of(page, *headings):
    """Marks a test: it runs these sections' blocks on a board of its own, then its own lines."""
    def mark(test):
        @functools.wraps(test)
        def story(self):
            self.begin()
            for block in blocks(page):
                if block.heading in headings and not rows_of(block, ELSEWHERE + NOT_RUN):
                    self.place = f"{page}:{block.line}"
                    getattr(self, kind_of(block))(block.text)
            test(self)
        TAKEN.update({(page, heading): test.__name__ for heading in headings})
        return story
    return mark


class PageTest(DaemonTest):
    def begin(self):
        """The daemon of the tour, and a folder like the tree with the programs built in it."""
        self.tree = tempfile.mkdtemp(prefix="belfry-", dir=scratch())
        self.addCleanup(shutil.rmtree, self.tree)
        for name in ("CInterop", "Sources", "Tests", "plugins"):
            os.symlink(os.path.join(ROOT, name), os.path.join(self.tree, name))
        for name in (".build", ".build-lean"):
            os.mkdir(os.path.join(self.tree, name))
            os.symlink(programs(), os.path.join(self.tree, name, "release"))
        self.board = os.path.join(self.tree, "board")
        os.mkdir(self.board)
        self.begin_daemon()
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("BELFRY_")},
            "PATH": f"{self.board}/usr/local/bin:{programs()}:/usr/bin:/bin",
            "BELFRY_SOCKET": self.bells.socket, "DESTDIR": self.board, "TZ": "UTC"}

    def begin_daemon(self):
        self.bells = self.daemon("[plugin:console]\nfile = console\n[sound]\ndevice = null\n")

    def here(self, text):
        """With the test's folders in place of the page's."""
        for old, new in INSTEAD:
            text = text.replace(old, new)
        text = text.replace("/tmp/bells", self.bells.directory)
        return re.sub(r"(?<![\w/])/(etc|usr/local)/", rf"{self.board}/\1/", text)

    def bash(self, text, **options):
        """Standard output of a script that does what was asked, and says nothing else."""
        done = subprocess.run(
            ["bash", "-e"], input=text, capture_output=True, text=True, timeout=PATIENCE,
            check=False, cwd=self.tree, env={**self.environment, **options})
        said = WARNS.sub("", done.stderr)
        self.assertEqual((done.returncode, said), (0, ""), f"{self.place}\n{text}\n{done.stdout}")
        return done.stdout

    def shell(self, text):
        """Runs it, and holds it to what its comments show."""
        lines = text.replace("\\\n", " ").splitlines()
        lines = ["" if any(words in line for words, _ in LEFT_OUT) else line for line in lines]
        said = self.bash(PRELUDE + self.here("\n".join(lines) + "\n"))
        came = collections.defaultdict(str)
        for piece in said.split("\036")[1:]:
            number, _, words = piece.partition(" ")
            came[int(number)] += words
        for number, line in enumerate(lines, 1):
            comment = line.partition(" # ")[2].strip()
            if comment in COMES:
                self.assertRegex(came[number], COMES[comment], f"{self.place}: {line}")

    def transcript(self, text):
        """Commands behind `$ `, each with all that comes; without a daemon, as the page says."""
        for example in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command, _, shown = example.partition("\n")
            came = self.bash(command, BELFRY_SOCKET="/nonexistent/socket")
            for pattern, same in DAILY:
                shown, came = pattern.sub(same, shown), pattern.sub(same, came)
            self.assertEqual(came, shown, self.place)

    def configuration(self, text):
        path = os.path.join(self.tree, "example.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o600)
        count = text.count("[plugin:")
        plugins = f"{count} plugin" + ("" if count == 1 else "s")
        said = self.bash(f"belfryd --check {path}")
        self.assertEqual(said.partition("; nothing shows alerts")[0].strip(), f"{path}: no mistake, {plugins}")

    def manifest(self, text):
        folder = os.path.join(self.bells.directory, "apps")
        os.mkdir(folder, 0o755)
        with open(f"{folder}/org.example.clock.app", "w", encoding="utf-8") as file:
            file.write(self.here(text))
        wait_until(lambda: "its manifest was read" in self.bells.log_text(), what="the manifest")
        said = self.bash("belfry app show org.example.clock")
        self.assertRegex(said, r"(?m)^name +Alarm clock$")
        # What it names is on no board but the page's.
        problems = re.findall(r"(?m)^problem +.*: (.*)$", said)
        self.assertEqual([text.rpartition(" /")[0] for text in problems],
                         ["there is no program", "there is no folder"])

    def days(self, text):
        path = os.path.join(self.tree, "example.days")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        *shown, last = self.bash(f"belfry days check {path}").splitlines()
        wanted = [line.split(maxsplit=1) for line in text.splitlines() if line[0] != "#"]
        self.assertEqual([line.split(maxsplit=1) for line in shown], wanted)
        self.assertRegex(last, f'^"example" is good: [0-9]+ days in {len(wanted)} entries$')

    def python(self, text):
        done = subprocess.run(
            [sys.executable, "-c", self.here(text)], capture_output=True, text=True,
            timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), self.place)
        return done.stdout


class Pages(unittest.TestCase):
    def test_every_block_of_the_pages_is_taken_up_once(self):
        missing = []
        for block in (block for page in pages() for block in blocks(page)):
            rows = rows_of(block, ELSEWHERE + NOT_RUN)
            is_run = (block.page, block.heading) in TAKEN and kind_of(block) is not None
            if len(rows) > 1 or not (rows or is_run):
                missing.append(f"{block.page}:{block.line}: {block.language} below "
                               f"'{block.heading}': {rows or 'nobody runs it'}")
        self.assertEqual(missing, [])

    def test_every_row_and_every_test_still_has_a_block(self):
        every = [block for page in pages() for block in blocks(page)]
        for row in ELSEWHERE + NOT_RUN:
            self.assertTrue([block for block in every if row in rows_of(block, (row,))], row)
        for place in TAKEN:
            self.assertIn(place, [(block.page, block.heading) for block in every])
        text = "".join(block.text for block in every)
        for words in [row[0] for row in LEFT_OUT + INSTEAD] + [f" # {words}\n" for words in COMES]:
            self.assertIn(words, text)

    def test_the_tests_elsewhere_are_there(self):
        for *_, path, words in ELSEWHERE:
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                self.assertIn(words, file.read(), path)


class Front(PageTest):
    def begin_daemon(self):
        """The tour starts it; it ends with the shell's group."""
        self.bells = self.daemon(start=False)

    def shell(self, text):
        if "belfryd --directory" not in text:
            return super().shell(text)
        with open(self.bells.log, "ab") as log:
            shell = subprocess.Popen(
                ["bash", "-e", "-c", self.here(text)], stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, cwd=self.tree, env=self.environment, start_new_session=True)
        self.addCleanup(self.end, shell.pid)
        self.assertEqual(shell.wait(PATIENCE), 0)
        self.bells.says("is ready: ")
        # No sound card is needed.
        with open(self.bells.directory + "/belfry.conf", "a", encoding="utf-8") as file:
            file.write("[sound]\ndevice = null\n")
        return self.bash("belfry reload")

    def end(self, group):
        def gone():
            try:
                return os.killpg(group, signal.SIGTERM)
            except ProcessLookupError:
                return True
        wait_until(gone, what="the end of belfryd")

    @of(FRONT, "A tour")
    def test_N1_T3_the_tour(self):
        rows = {row["notification"]["identifier"] for row in self.bells.listed()}
        self.assertEqual(rows, {"tea", "bell"})
        self.assertNotIn("warning", self.bells.log_text())

    @of(FRONT, "Install on a board")
    def test_what_is_installed_on_a_board_finds_what_it_needs(self):
        folder = self.board + "/usr/local/bin"
        with open(self.board + "/usr/local/lib/systemd/system/belfry.service", encoding="utf-8") as file:
            self.assertIn("\nExecStart=/usr/local/bin/belfryd --system\n", file.read())
        path = self.board + "/etc/belfry/belfry.conf"
        self.assertEqual(self.bash(f"{folder}/belfryd --check {path}"),
                         f"{path}: no mistake, 1 plugin\n")
        self.assertTrue(os.path.exists(self.board + "/usr/local/share/belfry/sounds/default.wav"))


class Using(PageTest):
    @of(USING, "Time", "Repeats")
    def test_T2_T5_T6_E4_E5_times(self):
        names = {row["notification"]["identifier"] for row in self.bells.listed()}
        self.assertLessEqual({"school", "call", "pills", "gym", "bins"}, names)

    @of(USING, "Other calendars")
    def test_N6_other_calendars(self):
        row, = self.bells.listed()
        self.assertEqual(row["notification"]["repeatCalendar"], "hebrew")

    @of(USING, "Days off")
    def test_E3_days_off(self):
        row, = self.bells.call("Days")["calendars"]
        self.assertEqual((row["name"], row["state"]), ("holidays", "good"))
        # The first lesson is after the holidays.
        day, = re.findall(r" (\S+)T08:00:00", self.bash("belfry next lesson -n 1"))
        self.assertGreater(day, row["last"])

    @of(USING, "Texts in the reader's language")
    def test_L1_texts(self):
        self.bells.says("Der Tee ist fertig")
        self.bells.says("[Anzeigen]")

    @of(USING, "A place")
    def test_R1_R3_a_place(self):
        self.bells.says("Back at the depot")

    @of(USING, "A sound", "A gentle alarm")
    def test_S1_sounds(self):
        wait_until(lambda: [row for row in self.bells.history()
                            if row["sink"] == "speaker" and row["state"] == "delivered"],
                   what="a sound")
        self.bells.says("Get up")


class Answering(PageTest):
    @of(USING, "What the user does")
    def test_D11_what_the_user_does(self):
        states = [row["state"] for row in self.bells.history() if row["sink"] == "console"]
        self.assertEqual(states, ["snoozed", "activated", "dismissed"])


class Running(PageTest):
    @of(RUNNING, "Configuration", "Outputs")
    def test_configurations(self):
        """Nothing beyond that."""

    @of(RUNNING, "Apps")
    def test_A1_a_manifest(self):
        """Nothing beyond that."""

    @of(RUNNING, "As a service")
    def test_man_pages(self):
        found = glob.glob(self.board + "/usr/local/share/man/man?/*")
        self.assertEqual(len(found), 6)
        for path in found:
            with open(path, encoding="utf-8") as file:
                name, section = os.path.basename(path).rsplit(".", 1)
                title = name.upper().replace("-", "\\-")
                self.assertTrue(file.read().startswith(f'.TH "{title}" {section} '), path)


class Pushing(PageTest):
    def python(self, text):
        self.assertIn("base {'aps': {'alert': 'Bed 12 calls', 'badge': 3}}\n", super().python(text))

    @of(PUSHES, "Pushes and inboxes", "The inbox")
    def test_P6_P7_P8_pushes_and_inboxes(self):
        self.bells.says("Bed 12 calls")

    @of(CLOUDKIT, "A list that others change too")
    def test_P2_the_push_of_a_list(self):
        entry, = self.bells.call("FetchInbox", {"app": "list"})["entries"]
        self.assertEqual(entry["kind"], "query")


class Plugins(PageTest):
    @of(PLUGINS, "A plugin in ten minutes", "Console", "Calendars")
    def test_D8_a_plugin_in_ten_minutes(self):
        self.bells.call("PresentNow", {"notification": {"alertBody": "Tea"}})
        self.bells.says("ding: Tea")

    @of(PLUGINS, "Exec")
    def test_N19_a_lamp(self):
        self.bells.says("lamp: on: Door bell, due 1")
        wait_until(lambda: self.bells.listed(delivered=True), what="the lamp's answer")
        self.bash("belfry dismiss door")
        self.bells.says("lamp: off")
        self.assertNotIn("console:   Door bell", self.bells.log_text())


class Spool(PageTest):
    @of(PLUGINS, "PushFile")
    def test_P6_a_spool(self):
        self.bells.says("Backup done")
        self.assertFalse(os.path.exists(self.bells.directory + "/spool/backup"))


if __name__ == "__main__":
    unittest.main()

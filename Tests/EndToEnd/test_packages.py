"""What is installed from a build, and the Debian packages of it, for the machine's own architecture."""
import datetime
import gzip
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from belfry_harness import ROOT, DaemonTest, programs, scratch, wait_until

PACKAGING = os.path.join(ROOT, "Sources", "Packaging")
PROGRAMS = ("bin/belfry", "bin/belfryd", "libexec/belfry/belfry-worker", "libexec/belfry/belfry-speaker")
PAGES = ("man1/belfry.1", "man5/belfry.app.5", "man5/belfry.conf.5", "man7/belfry-plugin.7", "man7/belfry-time.7",
         "man8/belfryd.8")
# What a package may take on a board.
MOST = 8 << 20


def run(name, *words, **environment):
    done = subprocess.run([os.path.join(PACKAGING, name), *words], check=False, capture_output=True, text=True,
                          env=os.environ | environment)
    return done.returncode, done.stdout, done.stderr


def tree(folder):
    """Each file below a folder, as its path from there."""
    return sorted(os.path.relpath(os.path.join(place, name), folder)
                  for place, _, names in os.walk(folder) for name in names)


class PackageTest(DaemonTest):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="belfry-", dir=scratch())
        os.chmod(self.folder, 0o755)
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def build_without(self, missing):
        folder = tempfile.mkdtemp(prefix="belfry-", dir=scratch())
        self.addCleanup(shutil.rmtree, folder)
        for name in os.listdir(programs()):
            if name != missing and os.path.isfile(os.path.join(programs(), name)):
                os.symlink(os.path.join(programs(), name), os.path.join(folder, name))
        return folder


class Installing(PackageTest):
    def install(self, *words):
        status, out, err = run("install", "--prefix", "/usr", "--build", programs(), *words, DESTDIR=self.folder)
        self.assertEqual((status, err), (0, ""))
        return out.splitlines()

    def test_each_file_is_named_and_all_of_them_are_there(self):
        named = self.install()
        self.assertEqual(sorted(named), sorted(self.path(name) for name in tree(self.folder)))
        for name in PROGRAMS:
            self.assertEqual(stat.S_IMODE(os.stat(self.path("usr", name)).st_mode), 0o755, name)
        for page in PAGES:
            with gzip.open(self.path("usr/share/man", page + ".gz"), "rt") as file:
                self.assertTrue(file.read().startswith(".TH"), page)
        with open(self.path("usr/lib/systemd/system/belfry.service"), encoding="utf-8") as file:
            service = file.read()
        self.assertIn("\nExecStart=/usr/bin/belfryd --system\n", service)
        with open(self.path("usr/lib/systemd/user/belfry.service"), encoding="utf-8") as file:
            self.assertIn("\nExecStart=/usr/bin/belfryd --user\n", file.read())
        done = subprocess.run([self.path("usr/bin/belfryd"), "--check", self.path("etc/belfry/belfry.conf")],
                              check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_each_key_waits_in_the_configuration_and_counts_once_its_mark_is_gone(self):
        self.install()
        with open(self.path("etc/belfry/belfry.conf"), encoding="utf-8") as file:
            text = file.read()
        belfry = self.path("usr/bin/belfry")
        rows = subprocess.run([belfry, "help", "configuration", "--json"], check=True, capture_output=True, text=True)
        keys = [row["name"] for row in map(json.loads, rows.stdout.splitlines()) if row["section"]]
        self.assertGreater(len(keys), 40)
        for name in keys:
            self.assertRegex(text, rf"(?m)^#?{re.escape(name)} =")
        grace = re.sub(r"(?m)^#grace = .*$", "grace = never", text)
        self.assertNotEqual(grace, text)
        with open(self.path("bad.conf"), "w", encoding="utf-8") as file:
            file.write(grace)
        done = subprocess.run([self.path("usr/bin/belfryd"), "--check", self.path("bad.conf")], check=False,
                              capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("grace", done.stdout + done.stderr)

    def test_what_is_installed_shows_an_alert_and_finds_its_sound(self):
        self.install()
        with mock.patch.dict(os.environ, BELFRY_BIN=self.path("usr/bin")):
            bells = self.daemon("[plugin:console]\nfile = console\n[plugin:lamp]\nfile = exec\nprogram = /bin/true\n")
            belfry = self.path("usr/bin/belfry")
            environment = os.environ | {"BELFRY_SOCKET": bells.socket}
            subprocess.run([belfry, "schedule", "--title", "Tea", "--now"], check=True, capture_output=True,
                           env=environment)
            wait_until(lambda: "Tea" in bells.log_text(), what="the alert")
            done = subprocess.run([belfry, "sound", "check", "default", "--json"], check=True, capture_output=True,
                                  text=True, env=environment)
            self.assertEqual(json.loads(done.stdout)["played"], self.path("usr/share/belfry/sounds/default.wav"))

    def test_a_second_time_keeps_the_configuration_and_uninstall_takes_the_rest(self):
        self.install()
        configuration = self.path("etc/belfry/belfry.conf")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write("# mine\n")
        running = self.daemon(start=False)
        with mock.patch.dict(os.environ, BELFRY_BIN=self.path("usr/bin")):
            running.start()
        self.install()
        self.assertTrue(running.answers())
        # Half a build takes nothing away either.
        status, _, err = run("install", "--prefix", "/usr", "--build", self.build_without("libbelfry-calendars.so"),
                             DESTDIR=self.folder)
        self.assertEqual((status, err.count("\n")), (1, 1))
        with open(configuration, encoding="utf-8") as file:
            self.assertEqual(file.read(), "# mine\n")
        self.assertTrue(self.install("--uninstall"))
        self.assertEqual(tree(self.folder), ["etc/belfry/belfry.conf"])
        status, _, err = run("install", "--prefix", "/usr", "--uninstall", DESTDIR=self.folder)
        self.assertEqual((status, err), (1, f"install: {self.path('usr/share/belfry/installed-files')} is missing: "
                                            "nothing was installed by this below /usr\n"))

    def test_bad_input_is_one_line(self):
        for words, says in (
                (("--nonsense",), "install: it does not take --nonsense (--help)\n"),
                (("--prefix",), "install: argument --prefix: expected one argument (--help)\n"),
                (("--build", self.path("none")),
                 f"install: {self.path('none', 'belfry')} is missing: build it first (Tests/README.md, Building "
                 "lean)\n")):
            self.assertEqual(run("install", *words, DESTDIR=self.folder), (1, "", says))
        self.assertEqual(tree(self.folder), [])


@unittest.skipUnless(shutil.which("dpkg-deb"), "Debian's alone")
class Packages(PackageTest):
    def pack(self, folder, *words):
        architecture = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True,
                                      text=True).stdout.strip()
        built = () if words else ("--built", programs())
        return run("package", *built, "--output", self.path(folder), *words or (architecture,))

    def packages(self, folder="out"):
        status, out, _ = self.pack(folder)
        self.assertEqual(status, 0)
        return {os.path.basename(line.split()[0]).split("_")[0]: line.split()[0] for line in out.splitlines()}

    def field(self, package, name):
        return subprocess.run(["dpkg-deb", "-f", package, name], check=True, capture_output=True,
                              text=True).stdout.strip()

    def test_three_packages_small_whole_and_without_swift(self):
        made = self.packages()
        self.assertEqual(sorted(made), ["belfry", "belfry-plugin-calendars", "belfry-plugin-dev"])
        self.assertEqual(sorted(os.listdir(self.path("out"))), sorted(os.path.basename(path) for path in made.values())
                         + ["work"])
        self.assertLess(int(self.field(made["belfry"], "Installed-Size")) * 1024, MOST)
        needs = self.field(made["belfry"], "Depends")
        self.assertRegex(needs, r"libasound2")
        self.assertRegex(needs, r"libc6 \(>= 2\.\d+\)")
        self.assertNotRegex(needs, r"(?i)swift|sqlite|sndfile|libgcc|stdc")
        self.assertRegex(self.field(made["belfry-plugin-calendars"], "Depends"), r"libicu\d+")
        self.assertEqual(self.field(made["belfry-plugin-dev"], "Architecture"), "all")
        root = self.path("root")
        subprocess.run(["dpkg-deb", "-R", made["belfry"], root], check=True)
        with open(f"{root}/DEBIAN/conffiles", encoding="utf-8") as file:
            self.assertEqual(file.read().split(), ["/etc/belfry/belfry.conf", "/etc/init.d/belfry"])
        subprocess.run(["md5sum", "--quiet", "-c", "DEBIAN/md5sums"], cwd=root, check=True)
        for script in ("postinst", "prerm", "postrm"):
            subprocess.run(["sh", "-n", f"{root}/DEBIAN/{script}"], check=True)
        for name in PROGRAMS:
            self.assertTrue(os.access(os.path.join(root, "usr", name), os.X_OK), name)

    def test_the_same_sources_make_the_same_packages(self):
        sums = []
        for folder in ("one", "two"):
            sums.append({})
            for name, path in self.packages(folder).items():
                with open(path, "rb") as file:
                    sums[-1][name] = hashlib.sha256(file.read()).hexdigest()
        self.assertEqual(sums[0], sums[1])

    def test_the_tarball_of_sources_is_a_repository_with_its_version_as_a_tag(self):
        sums = []
        for folder in ("one", "two"):
            status, out, _ = self.pack(folder, "source")
            self.assertEqual(status, 0)
            path = out.split()[0]
            with open(path, "rb") as file:
                sums.append(hashlib.sha256(file.read()).hexdigest())
        self.assertEqual(sums[0], sums[1])
        subprocess.run(["tar", "-C", self.folder, "-xf", path], check=True)
        tree = self.path(os.path.basename(path).removesuffix(".tar.gz"))

        def git(place, *words):
            return subprocess.run(["git", "-C", place, "-c", "safe.directory=*", *words], check=True,
                                  capture_output=True, text=True).stdout

        self.assertEqual(git(tree, "tag"), os.path.basename(tree).removeprefix("belfry-") + "\n")
        self.assertEqual(git(tree, "status", "--short"), "")
        self.assertEqual(git(tree, "rev-parse", "HEAD^{tree}"), git(ROOT, "rev-parse", "HEAD^{tree}"))

    def test_bad_input_is_one_line_and_makes_no_package(self):
        for words, says in (
                ((), "package: which architecture? amd64, arm64, armhf, riscv64, each also behind musl-linux-; all, "
                     "or source\n"),
                (("mips",), "package: there is no architecture mips: amd64, arm64, armhf, riscv64, each also behind "
                            "musl-linux-; all, or source\n"),
                (("--nonsense", "amd64"), "package: it does not take --nonsense (--help)\n")):
            self.assertEqual(run("package", "--output", self.path("out"), *words), (1, "", says))
        broken = self.build_without("belfry-speaker")
        architecture = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True,
                                      text=True).stdout.strip()
        status, out, err = run("package", "--built", broken, "--output", self.path("out"), architecture)
        self.assertEqual((status, out), (1, ""))
        self.assertEqual(err.splitlines()[-1],
                         f"package: {os.path.join(broken, 'belfry-speaker')} is missing: the build is not whole")
        self.assertEqual([name for name in os.listdir(self.path("out")) if name.endswith(".deb")], [])

    def test_without_a_network_it_says_so_and_makes_nothing(self):
        status, out, err = run("package", "--programs", "--output", self.path("out"), "riscv64",
                               BELFRY_MIRROR="http://127.0.0.1:9/debian")
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err, r"\Ariscv64: fetching libraries\npackage: fetching packages: .*127\.0\.0\.1.*\n\Z")
        self.assertFalse(os.path.exists(self.path("out", "riscv64")))

    @unittest.skipUnless(os.geteuid() == 0, "only root mounts")
    def test_on_a_full_disk_it_says_so_and_makes_no_package(self):
        os.mkdir(self.path("out"))
        for size in ("200k", "9000k"):
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", self.path("out")], check=True)
            try:
                status, out, err = self.pack("out")
                self.assertEqual((status, out), (1, ""))
                self.assertEqual(len(err.splitlines()), 2, err)
                self.assertIn("No space left on device", err.splitlines()[1])
                self.assertEqual([name for name in os.listdir(self.path("out")) if name.endswith(".deb")], [])
            finally:
                subprocess.run(["umount", self.path("out")], check=True)


class Musl(PackageTest):
    """Its script, by the programs of this machine: what it does with a system that is no musl's, too."""

    def setUp(self):
        super().setUp()
        configuration = self.path("libraries", "usr/share/belfry/alsa/alsa.conf")
        os.makedirs(os.path.dirname(configuration))
        with open(configuration, "w", encoding="utf-8") as file:
            file.write("# ALSA's\n")
        with mock.patch.object(sys, "path", [PACKAGING, *sys.path]):
            import musl_tarball
            from architectures import ALL
            from staging import Teller
            from tools import Tools
        path = musl_tarball.build(
            ALL["musl-linux-amd64"], Tools(), programs(), self.path("libraries"),
            Teller(os.path.join(programs(), "belfry")), "9.9",
            datetime.datetime.fromtimestamp(0, datetime.timezone.utc), self.folder)
        os.mkdir(self.path("board"))
        subprocess.run(["tar", "-C", self.path("board"), "-xf", path], check=True)
        self.script = self.path("board/belfry-9.9-musl-linux-amd64/install.sh")
        os.makedirs(self.path("root/etc"))

    def install(self, *words):
        done = subprocess.run([self.script, *words], check=False, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def text(self, name):
        with open(self.path("root", name), encoding="utf-8") as file:
            return file.read()

    def test_it_lays_out_an_image_twice_and_takes_it_away(self):
        for name, line in (("passwd", "root:x:0:0::/root:/bin/sh"), ("group", "taken:x:200:"), ("shadow", "root:!::")):
            with open(self.path("root/etc", name), "w", encoding="utf-8") as file:
                file.write(line + "\n")
        self.assertEqual(self.install("--root", self.path("root")), (0, "", ""))
        self.assertEqual([line.split(":")[:4] for line in self.text("etc/passwd").splitlines()],
                         [["root", "x", "0", "0"], ["belfry-worker", "x", "201", "201"],
                          ["belfry-speaker", "x", "202", "202"]])
        self.assertEqual(self.text("etc/group"), "taken:x:200:\nbelfry-worker:x:201:\nbelfry-speaker:x:202:\n")
        self.assertEqual(len(self.text("etc/shadow").splitlines()), 3)
        for name in PROGRAMS:
            self.assertEqual(stat.S_IMODE(os.stat(self.path("root/usr", name)).st_mode), 0o755, name)
        self.assertEqual(self.text("usr/share/belfry/alsa/alsa.conf"), "# ALSA's\n")
        self.assertTrue(self.text("etc/init.d/belfry").startswith("#!/bin/sh\n"))
        made = tree(self.path("root"))
        with open(self.path("root/etc/belfry/belfry.conf"), "w", encoding="utf-8") as file:
            file.write("# mine\n")
        # An upgrade, on a board that has OpenRC now; an older one had a file more.
        with open(self.path("root/usr/share/belfry/installed-files"), "a", encoding="utf-8") as file:
            file.write("/usr/bin/belfry-of-old\n")
        with open(self.path("root/usr/bin/belfry-of-old"), "w", encoding="utf-8"):
            pass
        os.mkdir(self.path("root/sbin"))
        with open(self.path("root/sbin/openrc-run"), "w", encoding="utf-8") as file:
            os.chmod(file.name, 0o755)
        before = self.text("etc/passwd")
        self.assertEqual(self.install("--root", self.path("root")), (0, "", ""))
        self.assertEqual((self.text("etc/belfry/belfry.conf"), self.text("etc/passwd")), ("# mine\n", before))
        self.assertTrue(self.text("etc/init.d/belfry").startswith("#!/sbin/openrc-run\n"))
        self.assertEqual(tree(self.path("root")), sorted([*made, "sbin/openrc-run"]))
        self.assertEqual(self.install("--root", self.path("root"), "--uninstall"), (0, "", ""))
        self.assertEqual(tree(self.path("root")), ["etc/belfry/belfry.conf", "etc/group", "etc/passwd", "etc/shadow",
                                                   "sbin/openrc-run"])
        self.assertFalse(os.path.exists(self.path("root/usr/share/belfry")))

    @unittest.skipUnless(os.geteuid() == 0, "only root mounts")
    def test_on_a_full_disk_nothing_is_changed(self):
        root = self.path("root")
        for size in ("100k", "5000k"):
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", root], check=True)
            try:
                os.makedirs(f"{root}/usr/bin")
                with open(f"{root}/usr/bin/belfryd", "w", encoding="utf-8") as file:
                    file.write("old")
                status, out, err = self.install("--root", root)
                self.assertEqual((status, out), (1, ""))
                self.assertRegex(err, r"\Ainstall.sh: /\S+ cannot be written: \d+ kB are free there\n\Z")
                self.assertEqual(tree(root), ["usr/bin/belfryd"])
                self.assertEqual(self.text("usr/bin/belfryd"), "old")
            finally:
                subprocess.run(["umount", root], check=True)

    def test_bad_input_is_one_line_and_installs_nothing(self):
        for words, says in (
                (("--nonsense",), "install.sh: it does not take --nonsense (--help)\n"),
                (("--root",), "install.sh: --root needs a folder\n"),
                (("--root", self.path("none")), f"install.sh: {self.path('none')} is no folder\n"),
                (("--root", self.path("root"), "--uninstall"),
                 f"install.sh: {self.path('root')}/usr/share/belfry/installed-files is missing: nothing was installed "
                 "by this\n")):
            self.assertEqual(self.install(*words), (1, "", says))
        self.assertEqual(tree(self.path("root")), [])
        status, out, err = self.install("--help")
        self.assertEqual((status, err), (0, ""))
        self.assertIn("usage: ./install.sh", out)

    def test_programs_of_another_machine_are_not_installed(self):
        belfryd = os.path.join(os.path.dirname(self.script), "files/usr/bin/belfryd")
        with open(belfryd, "wb") as file:
            file.write(b"\x7fELF\x02\x01\x01")
        # As root on the machine itself, whose files it must not touch: it stops before.
        status, out, err = self.install()
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err, r"\Ainstall.sh: (these programs are for amd64, and this machine is \w+|only root may "
                              r"install; --root DIR lays it out elsewhere)\n\Z")


class Runtime(PackageTest):
    def test_CSwiftRuntime_stands_in_for_what_is_still_at_fault(self):
        """Once this fails with a newer Swift, CInterop/CSwiftRuntime can go."""
        with open(self.path("text.swift"), "w", encoding="utf-8") as file:
            file.write("public func twice(_ text: String) -> [String] { [text, text] }\n")
        subprocess.run(
            ["swiftc", "-target", "aarch64-none-none-elf", "-enable-experimental-feature", "Embedded",
             "-parse-as-library", "-wmo", "-Osize", "-emit-ir", self.path("text.swift"), "-o", self.path("text.ll")],
            check=True, cwd=self.folder)
        with open(self.path("text.ll"), encoding="utf-8") as file:
            retain = re.search(r"(?ms)^define [^\n]* @swift_bridgeObjectRetain\((.*?)\).*?^}", file.read())
        # It is said to return its argument, and returns what it has cut out of that.
        self.assertEqual(retain[1], "ptr returned %0")
        self.assertNotIn("ret ptr %0", retain[0])


if __name__ == "__main__":
    unittest.main()

"""What users do to others by the calls that they are allowed; each is called with the daemon, over and
over, in a process of its own."""
import contextlib
import itertools
import os
import random
import sys
import time

from belfry_harness import Refused, microseconds

# The first of the attacking users; each has two processes.
ATTACKER = 64_200
SIXTY = ",".join(str(number) for number in range(60))
PLACES = ",".join(str(number) for number in [*range(-366, 0), *range(1, 367)])
COSTLIEST = {"alertBody": "x", "rrule": f"FREQ=HOURLY;BYMINUTE={SIXTY};BYSECOND={SIXTY};"
             f"BYSETPOS={PLACES};COUNT=1000000"}


def forked(uid, does, daemon):
    """A process of that user that does it until it is killed; its number."""
    process = os.fork()
    if process:
        return process
    try:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        while True:
            try:
                does(daemon)
            except (OSError, RuntimeError, Refused):
                time.sleep(0.01)  # Refused, or sent away: it comes again.
    finally:
        os._exit(1)


def computes(_daemon):
    """Takes processor time from everybody, and nothing from the daemon."""
    sum(range(1_000_000))


def idles(_daemon):
    time.sleep(1)


def finished(process):
    _, status = os.waitpid(process, 0)
    if status:
        sys.exit("the users' rows could not be written")


def asks(out):
    """Has a row replaced every 20 ms, and writes down how many microseconds each answer took."""
    def ask(daemon):
        with daemon.connect() as connection:
            for number in itertools.count():
                begin = time.monotonic_ns()
                connection.call("Schedule", {"notification": {
                    "identifier": "mine", "alertBody": str(number), "fireDate": microseconds(86400)}})
                os.write(out, b"%d\n" % ((time.monotonic_ns() - begin) // 1000))
                time.sleep(0.02)
    return ask


FULL_APPS, FULL_ROWS, FULL_BODY = 20, 496, "x" * 15_000


def fills_apps(daemon):
    """Rows of 30 kB in every app of a user, 2,500 of them due in the middle of what is measured."""
    soon = 0
    with daemon.connect() as connection:
        for number in range(FULL_APPS * FULL_ROWS):
            if number == FULL_APPS * FULL_ROWS - 2500:
                soon = microseconds(20)
            connection.send("Schedule", {"app": f"full{number // FULL_ROWS}", "notification": {
                "identifier": f"n{number}", "alertBody": FULL_BODY,
                "userInfo": {"more": f"{FULL_BODY}{number}"},
                "fireDate": soon or microseconds(86400)}})
            if number % 16 == 15:
                for _ in range(16):
                    connection.result()


@contextlib.contextmanager
def many_connections(daemon, count):
    with contextlib.ExitStack() as open_ones:
        yield [open_ones.enter_context(daemon.connect()) for _ in range(count)]


def cancels_by_value(daemon):
    """60 connections, on each 256 cancels of a value that no row has."""
    value = {"alertBody": FULL_BODY, "userInfo": {"more": FULL_BODY}, "fireDate": 1}
    with many_connections(daemon, 30) as many:
        for number in range(256):
            for place, connection in enumerate(many):
                connection.send("Cancel", {"app": f"full{place % FULL_APPS}", "equal": value})
            if number % 8 == 7:
                for connection in many:
                    for _ in range(8):
                        connection.result()


def asks_dates(daemon):
    """1,000 RDATE and 1,000 EXDATE in each of its calls."""
    start = microseconds(3600)
    dates = [start + number * 60_000_000 for number in range(1000)]
    with daemon.connect() as connection:
        for number in range(64):
            connection.send("Schedule", {"notification": {
                "identifier": f"d{number}", "alertBody": "x", "fireDate": start,
                "rrule": "FREQ=MINUTELY;COUNT=1000", "rdate": dates, "exdate": dates[1:]}})
        for _ in range(64):
            connection.result()
        connection.call("CancelAll")


def asks_rules(daemon):
    with daemon.connect() as connection:
        for number in range(8):
            connection.send("Schedule", {"notification": {
                **COSTLIEST, "identifier": f"r{number}", "fireDate": microseconds(3600)}})
        for _ in range(8):
            connection.result()
        connection.call("Next", {"notification": {**COSTLIEST, "fireDate": microseconds(3600)},
                                 "count": 1000})
        connection.call("CancelAll")


def replaces_lists(daemon):
    app = f"list{os.getpid()}"
    with daemon.connect() as connection:
        for start in range(0, 9000, 3000):
            connection.call("ReplaceAll", {
                "app": app, "final": start == 6000, "notifications": [
                    {"identifier": f"{start + i}", "alertBody": "x", "fireDate": microseconds(3600),
                     "rrule": "FREQ=DAILY;COUNT=365"} for i in range(3000)]})
        connection.call("CancelAll", {"app": app})


def presents(daemon):
    with daemon.connect() as connection:
        for _ in range(200):
            connection.send("PresentNow", {"notification": {"alertBody": "x"}})
        for _ in range(200):
            connection.result()


def reads(daemon):
    with daemon.connect() as connection:
        for _ in range(50):
            for method in ("List", "History", "Status"):
                for _ in connection.stream(method, {}) if method != "Status" else [
                        connection.call(method)]:
                    pass


def asks_floating_drafts(daemon):
    """Drafts that wait for the board's zone, on 60 connections at once."""
    draft = {"alertBody": "x", "fireDate": microseconds(60), "timeZone": "Europe/Berlin",
             "zoneMode": "floating", "rrule": "FREQ=MINUTELY;INTERVAL=1441;BYHOUR=1"}
    with many_connections(daemon, 30) as many:
        for _ in range(8):
            for connection in many:
                connection.send("Next", {"notification": draft, "count": 1000})
        for connection in many:
            for _ in range(8):
                connection.result()


def lists_on_fifty(daemon):
    """A list of 496 rows streamed to 50 connections at once."""
    with many_connections(daemon, 25) as many:
        for number in range(496):
            many[0].call("Schedule", {"notification": {
                "identifier": f"n{number}", "alertBody": "x" * 200, "fireDate": microseconds(86400)}})
        for _ in range(20):
            for connection in many:
                connection.send("List", {}, more=True)
            for connection in many:
                while connection.receive().get("continues"):
                    pass


def sends_members(daemon):
    """userInfo of as many members as its 64 KiB take."""
    members = {f"{number:x}": 0 for number in range(7_000)}
    with many_connections(daemon, 8) as many:
        for number in range(16):
            for place, connection in enumerate(many):
                connection.send("Schedule", {"notification": {
                    "identifier": f"m{place}", "alertBody": str(number), "userInfo": members,
                    "fireDate": microseconds(86400)}})
            for connection in many:
                connection.result()


def sends_junk(daemon):
    """Messages of 1 MB that are nothing, and as much without an end."""
    for junk in (b"\0" * 1_000_000, b"[" * 1_000_000 + b"\0", b"{\"a\":" * 160_000 + b"\0"):
        with daemon.connect() as connection, contextlib.suppress(OSError):
            connection.send_bytes(junk)
            connection.receive()


def floods(*calls, before=(), connections=60):
    """Makes calls on many connections without waiting for their answers, up to 32 on each. A call is
    (method, parameters), or a function of its number that returns one; `before` are those that come first,
    one after another."""
    def flood(daemon):
        with daemon.connect() as first:
            for call in before:
                with contextlib.suppress(Refused):
                    first.call(*call)
        with many_connections(daemon, connections) as many:
            for number in itertools.count():
                call = calls[number % len(calls)]
                method, parameters = call(number) if callable(call) else call
                for connection in many:
                    connection.send(method, parameters)
                if number >= 32:
                    for connection in many:
                        connection.receive()
    return flood


def leaves_drafts(daemon):
    """Asks 256 things, and is gone before it is answered."""
    draft = {"alertBody": "x", "fireDate": microseconds(60), "rrule": "FREQ=SECONDLY;INTERVAL=7;BYHOUR=1"}
    for _ in range(8):
        with many_connections(daemon, 32) as many:
            for connection in many:
                for _ in range(8):
                    connection.send("Next", {"notification": draft, "count": 1000})


def watches(daemon):
    """48 who watch what is shown meanwhile."""
    with many_connections(daemon, 48) as many, many_connections(daemon, 8) as others:
        for connection in many:
            connection.send("Watch", more=True)
        for _ in range(200):
            for connection in others:
                connection.send("PresentNow", {"notification": {"alertBody": FULL_BODY}})
            for connection in others:
                connection.receive()
            for connection in many:
                while connection.waiting():
                    connection.receive()


def lists_large_rows(daemon):
    rows = [{"identifier": f"n{number}", "alertBody": FULL_BODY, "userInfo": {"more": FULL_BODY * 3},
             "fireDate": microseconds(86400)} for number in range(200)]
    with many_connections(daemon, 60) as many:
        for row in rows:
            many[0].call("Schedule", {"notification": row})
        for _ in range(20):
            for connection in many:
                connection.send("List", more=True)
            for connection in many:
                while connection.receive().get("continues"):
                    pass


def fetches_inboxes(daemon):
    payload = {"aps": {"alert": "x"}, "more": FULL_BODY * 3}
    with many_connections(daemon, 60) as many:
        for _ in range(100):
            many[0].call("Push", {"payload": payload})
        for _ in range(20):
            for connection in many:
                connection.send("FetchInbox", more=True)
            for connection in many:
                while connection.receive().get("continues"):
                    pass


def replaces_with_discards(daemon):
    """A list of 10,000 in an app that may have as many, which sends all others away."""
    app = f"list{os.getpid()}"
    with daemon.connect() as connection:
        for turn in itertools.count():
            for part in range(2):
                connection.call("ReplaceAll", {
                    "app": app, "final": part == 1, "onFull": "discardLatest", "notifications": [
                        {"identifier": f"{turn}-{part}-{i}", "alertBody": "x",
                         "fireDate": microseconds(3600 + i)} for i in range(5000)]})


def replaces_rules(daemon):
    """500 with 8 rules each, near what a list may cost."""
    rules = [f"FREQ=MONTHLY;BYDAY={day};BYSETPOS={place}" for day in ("MO,TU,WE", "SA,SU")
             for place in (1, 2, -1, -2)]
    with daemon.connect() as connection:
        for turn in itertools.count():
            connection.call("ReplaceAll", {"app": f"rules{os.getpid()}", "final": True, "notifications": [
                {"identifier": f"{i}", "alertBody": f"{turn}", "rrules": rules,
                 "fireDate": microseconds(3600)} for i in range(500)]})


def asks_random_rules(daemon):
    """Rules that come near what one may cost, each on its own or stored."""
    chosen = random.Random(time.time_ns())

    def some(values, most):
        return ",".join(str(v) for v in sorted(chosen.sample(values, chosen.randint(1, most))))

    def rule():
        parts = ["FREQ=" + chosen.choice(("SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY",
                                          "YEARLY"))]
        for name, values, most in (
                ("BYSECOND", range(60), 60), ("BYMINUTE", range(60), 60), ("BYHOUR", range(24), 24),
                ("BYMONTHDAY", range(1, 32), 5), ("BYMONTH", range(1, 13), 3),
                ("BYYEARDAY", range(1, 366), 30)):
            if chosen.random() < 0.4:
                parts.append(f"{name}={some(values, most)}")
        if chosen.random() < 0.5:
            parts.append(f"INTERVAL={chosen.choice((1, 7, 61, 1441, 99_991))}")
        if chosen.random() < 0.5:
            parts.append(f"COUNT={chosen.choice((3, 1000, 1_000_000))}")
        if len(parts) > 2 and chosen.random() < 0.3:
            parts.append(f"BYSETPOS={some(range(1, 366), 20)}")
        return ";".join(parts)

    with many_connections(daemon, 20) as many:
        for number in range(200):
            notification = {"alertBody": "x", "identifier": f"r{number}", "rrule": rule(),
                            "fireDate": microseconds(60), "timeZone": "Europe/Berlin",
                            "zoneMode": chosen.choice(("absolute", "floating", "zoned"))}
            for place, connection in enumerate(many):
                connection.send(*(("Schedule", {"notification": notification}) if place % 2 else
                                  ("Next", {"notification": notification, "count": 1000})))
            for connection in many:
                connection.receive()


def sieges():
    """All calls that cost others most, by name."""
    large = {"alertBody": FULL_BODY, "userInfo": {"more": FULL_BODY * 3}}
    shown = [("PresentNow", {"notification": {"identifier": f"s{i}", "alertBody": "x"}})
             for i in range(64)]
    dear = ("Schedule", {"notification": {
        "identifier": "dear", "alertBody": "x", "fireDate": microseconds(3600), "overlap": "both",
        "timeZone": "Europe/Berlin", "zoneMode": "zoned",
        "rrule": "FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=0,20,40"}})
    categories = [{"identifier": f"c{i}", "actions": [
        {"identifier": f"a{j}", "title": "x" * 100} for j in range(8)]} for i in range(40)]
    settings = ("RegisterSettings", {
        "settings": {"alert": True, "badge": True, "sound": True}, "categories": categories})
    pushed = [("Push", {"payload": {"aps": {"alert": "x"}}, "id": f"{i:08}-0000-4000-8000-000000000000"})
              for i in range(100)]
    ids = [f"{i % 100:08}-0000-4000-8000-{i // 100:012}" for i in range(1000)]
    return {
        "Push, 4 kB": floods(("Push", {"payload": {"aps": {"alert": "x" * 3000}, "more": "x" * 900}})),
        "PresentNow, 60 kB": floods(("PresentNow", {"notification": large})),
        "PresentNow, 60 kB, and SetBadge": floods(
            ("PresentNow", {"notification": large}), lambda i: ("SetBadge", {"badge": i})),
        "Test": floods(("Test", {})),
        "Snooze, 64 alerts": floods(
            lambda i: ("Snooze", {"id": f"s{i % 64}", "duration": 60_000_000 + i}), before=shown),
        "Skip and Unskip, 1,000": floods(
            ("Skip", {"identifier": "dear", "count": 1000}), ("Unskip", {"identifier": "dear"}),
            before=[dear]),
        "Edit, 1,000 skipped": floods(
            lambda i: ("Edit", {"identifier": "dear", "set": {
                "fireDate": microseconds(3600) + i * 60_000_000}}),
            before=[dear, ("Skip", {"identifier": "dear", "count": 1000})]),
        "Next, 1,000, stored": floods(
            ("Next", {"identifier": "dear", "count": 1000}), before=[dear]),
        "RegisterSettings, the largest": floods(settings),
        "MarkRead, 1,000 ids": floods(("MarkRead", {"ids": ids}), before=pushed),
        "Schedule and Next, random rules": asks_random_rules,
        "drafts, and gone": leaves_drafts,
        "Watch on 48, PresentNow on 8": watches,
        "List, rows of 60 kB": lists_large_rows,
        "FetchInbox, pushes of 48 kB": fetches_inboxes,
        "ReplaceAll, 10,000 with discards": replaces_with_discards,
        "ReplaceAll, 500 of 8 rules": replaces_rules,
    }


ATTACKS = [asks_rules, replaces_lists, presents, reads] * 2
WIRE_ATTACKS = [asks_floating_drafts, lists_on_fifty, sends_members, sends_junk] * 2
STORE_ATTACKS = [cancels_by_value, cancels_by_value, asks_dates, asks_dates]

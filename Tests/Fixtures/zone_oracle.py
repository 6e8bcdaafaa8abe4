"""What Python's zoneinfo (PEP 615) and libc answer about time zones, for the tests of ZoneRules.

    zone_oracle.py zones FOLDER   every zone of a tz database, every transition from 1970 to 2100
    zone_oracle.py texts          POSIX zone texts, one a line of standard input, asked of libc

Answers are numbers of 64 bits in the machine's byte order; an abbreviation is one of them, its
letters from the lowest byte up.

zones: a line of names, ended by a newline, comes first, with one name for each different file. For
each: how many transitions, and for each of them: its second; offset, DST and abbreviation one
second before it, at it, and one second after it; then eight wall clocks around it, each with the
instants that it stands for under fold 0 and fold 1 (PEP 495).

texts: for each line: how many samples, and for each of them: second, offset.
"""

import array
import datetime
import os
import struct
import sys
import time
import zoneinfo

EPOCH = datetime.datetime(1970, 1, 1)
BEGIN = 0
END = int((datetime.datetime(2100, 1, 1) - EPOCH).total_seconds())
WEEK = 7 * 86400


def abbreviation(text):
    return int.from_bytes(text.encode()[:8], "little")


def known_names(folder):
    """One name for each different file, in order."""
    seen = {}
    for top, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f not in ("posix", "right"))
        for file in sorted(files):
            path = os.path.join(top, file)
            with open(path, "rb") as opened:
                data = opened.read()
            if data.startswith(b"TZif"):
                seen.setdefault(data, os.path.relpath(path, folder))
    return sorted((name, data) for data, name in seen.items())


def listed(data):
    """The transitions that the file spells out."""
    header = struct.Struct(">4sc15x6l")
    _, version, utc, std, leap, times, types, letters = header.unpack_from(data)
    size, place = 4, header.size
    if version != b"\0":
        place += times * 5 + types * 6 + letters + leap * 8 + std + utc
        _, version, utc, std, leap, times, types, letters = header.unpack_from(data, place)
        size, place = 8, place + header.size
    return struct.unpack_from(">%d%s" % (times, "lq"[size == 8]), data, place)


class Zone:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.info = zoneinfo.ZoneInfo.from_file(file)

    def state(self, second):
        moment = (EPOCH + datetime.timedelta(seconds=second)).replace(tzinfo=self.info)
        local = self.info.fromutc(moment)
        offset = int(local.utcoffset().total_seconds())
        return offset, int(bool(local.dst())), abbreviation(local.tzname())

    def instants(self, wall):
        local = (EPOCH + datetime.timedelta(seconds=wall)).replace(tzinfo=self.info)
        return [
            wall - int(local.replace(fold=fold).utcoffset().total_seconds()) for fold in (0, 1)
        ]

    def transitions(self, data):
        """Those listed, and those that a rule makes behind them, found by looking once a week."""
        spelled = listed(data)
        found = {second for second in spelled if BEGIN < second < END}
        second = max(spelled, default=BEGIN) if spelled else BEGIN
        second = max(second, BEGIN)
        state = self.state(second)
        while second + WEEK < END:
            later = self.state(second + WEEK)
            if later != state:
                low, high = second, second + WEEK
                while high - low > 1:
                    middle = (low + high) // 2
                    if self.state(middle) == state:
                        low = middle
                    else:
                        high = middle
                found.add(high)
            second, state = second + WEEK, later
        return sorted(s for s in found if self.state(s - 1) != self.state(s))


def tell_zones(folder):
    names = known_names(folder)
    sys.stdout.buffer.write((" ".join(name for name, _ in names) + "\n").encode())
    for name, data in names:
        zone = Zone(os.path.join(folder, name))
        seconds = zone.transitions(data)
        answer = array.array("q", [len(seconds)])
        for second in seconds:
            answer.append(second)
            for near in (second - 1, second, second + 1):
                answer.extend(zone.state(near))
            before, after = zone.state(second - 1)[0], zone.state(second)[0]
            low, high = second + min(before, after), second + max(before, after)
            for wall in (low - 86400, low - 1, low, (low + high) // 2, high - 1, high, high + 1,
                         high + 86400):
                answer.append(wall)
                answer.extend(zone.instants(wall))
        sys.stdout.buffer.write(answer.tobytes())


def tell_texts():
    for number, line in enumerate(sys.stdin):
        os.environ["TZ"] = line.strip()
        time.tzset()
        # Every 13 hours of a year that differs from text to text, from well before it to behind it.
        year = datetime.datetime(1971 + number % 250, 1, 1)
        begin = int((year - EPOCH).total_seconds()) - 20 * 86400
        answer = array.array("q", [760])
        for second in range(begin, begin + 760 * 13 * 3600, 13 * 3600):
            answer.extend((second, time.localtime(second).tm_gmtoff))
        sys.stdout.buffer.write(answer.tobytes())


if sys.argv[1] == "zones":
    tell_zones(sys.argv[2])
else:
    tell_texts()

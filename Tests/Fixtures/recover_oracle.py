#!/usr/bin/env python3
"""What SQLite's `.recover` finds of the scheduled list in a damaged file: prints an identifier and a
digest of the row, one a line, so that a row that is not as it was can be told.

Debian's sqlite3 cannot do it itself: it is built without the sqlite_dbpage table. This is the same
rule, read from ext/recover: the log as SQLite takes it, then every row on every b-tree leaf that is
in a table's tree or at least not on the free list (`--ignore-freelist`). Where `.recover` would stop
at a schema that it cannot parse, this goes on, so it finds as much or more.
usage: recover_oracle.py FILE
"""
import hashlib
import os
import struct
import sys

PAGE = 1024


def checksum(data, seed):
    first, second = seed
    words = struct.unpack(f"<{len(data) // 4}I", data)
    for place in range(0, len(words), 2):
        first = (first + words[place] + second) & 0xFFFFFFFF
        second = (second + words[place + 1] + first) & 0xFFFFFFFF
    return first, second


def pages(path):
    """Images by page number: the file's, and the log's up to its last commit before any fault."""
    with open(path, "rb") as file:
        content = file.read()
    found = {number + 1: content[number * PAGE:(number + 1) * PAGE]
             for number in range(len(content) // PAGE)}
    if not content or not os.path.exists(path + "-wal"):
        return found
    with open(path + "-wal", "rb") as file:
        log = file.read()
    if len(log) < 32:
        return found
    magic, version, size, _, salt1, salt2, *seed = struct.unpack(">8I", log[:32])
    seed = tuple(seed)
    if magic != 0x377F0682 or version != 3007000 or size != PAGE or \
            checksum(log[:24], (0, 0)) != seed:
        return found
    pending = {}
    for place in range(32, len(log) - PAGE - 23, PAGE + 24):
        number, commit, *salts, one, two = struct.unpack(">6I", log[place:place + 24])
        image = log[place + 24:place + 24 + PAGE]
        seed = checksum(image, checksum(log[place:place + 8], seed))
        if salts != [salt1, salt2] or seed != (one, two):
            break
        pending[number] = image
        if commit:
            found.update(pending)
            pending = {}
    return found


def variable(data, place):
    value = 0
    for index in range(9):
        byte = data[place + index]
        if index == 8:
            return value << 8 | byte, place + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + index + 1
    raise IndexError


def payload(found, page, place, size):
    local = size
    if size > PAGE - 35:
        least = (PAGE - 12) * 32 // 255 - 23
        local = least + (size - least) % (PAGE - 4)
        if local > PAGE - 35:
            local = least
    data = page[place:place + local]
    after = struct.unpack(">I", page[place + local:place + local + 4])[0] if local < size else 0
    while len(data) < size:
        page = found[after]
        data += page[4:4 + size - len(data)]
        after = struct.unpack(">I", page[:4])[0]
    return data


def fields(data):
    """(type, bytes) of each field of a record."""
    end, place = variable(data, 0)
    body, result = end, []
    while place < end:
        kind, place = variable(data, place)
        size = (kind - 12) // 2 if kind >= 12 else [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][kind]
        result.append((kind, data[body:body + size]))
        body += size
    return result


def free(found):
    first, taken = found.get(1, bytes(PAGE)), set()
    if first[:16] != b"SQLite format 3\0":
        return taken
    trunk = struct.unpack(">I", first[32:36])[0]
    while trunk in found and trunk not in taken:
        page = found[trunk]
        taken.add(trunk)
        trunk, count = struct.unpack(">2I", page[:8])
        if count > PAGE // 4 - 2:
            break
        taken.update(struct.unpack(f">{count}I", page[8:8 + 4 * count]))
    return taken


def main(path):
    found = pages(path)
    taken = free(found)
    for number, page in sorted(found.items()):
        if number in taken or page[0] != 13:
            continue
        for index in range(struct.unpack(">H", page[3:5])[0]):
            try:
                place = struct.unpack(">H", page[8 + 2 * index:10 + 2 * index])[0]
                size, place = variable(page, place)
                key, place = variable(page, place)
                data = payload(found, page, place, size)
                row = fields(data)
            except (IndexError, KeyError, struct.error):
                continue
            if len(row) == 18 and row[9][0] % 2 == 1 and row[9][0] > 13:
                digest = hashlib.sha1(f"{key} ".encode() + data).hexdigest()
                name = row[9][1].decode("utf-8", "replace")
                if len(name.split()) == 1:
                    print(name.strip(), digest)


if __name__ == "__main__":
    main(sys.argv[1])

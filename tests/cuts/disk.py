# SPDX-License-Identifier: ISC
"""What a disk may hold when the power is cut.

The model is that of ALICE (Pillai and others, OSDI 2014), with what file systems promise at least.
Contents of a file are pieces of 512 bytes. Of the writes since its last fsync each piece has
taken as many as it likes, the size too. A piece that a size covers, and no write, is zeros. Names
made, removed or changed since the last fsync of their folder are on the disk or not, each for
itself, also that of a file which was itself synced. A rename is one step in a folder; between two
the new name comes first.
"""
import collections
import hashlib
import os
import shutil
import time as clock

PIECE = 512


class File:
    def __init__(self, data, mode, time=None):
        self.data, self.mode, self.time = data, mode, time
        self.ops = []           # (offset, bytes), or (size, None) for a new size
        self.touched = {}       # piece: indices of the operations that have changed it
        self.sizes = [len(data)]        # before them, and behind each
        self.made = {}          # contents and their digests, by what was taken of each

    def add(self, at, data):
        size = self.sizes[-1]
        end = at + len(data) if data is not None else max(size, at)
        for piece in range(at // PIECE, -(-end // PIECE)):
            self.touched.setdefault(piece, []).append(len(self.ops))
        self.ops.append((at, data))
        self.sizes.append(at if data is None else max(size, end))
        self.time = None
        self.made = {}

    def content(self, choice):
        """Bytes and their digest."""
        key = choice.size(self, len(self.ops)), *(choice.piece(self, piece, len(ops))
            for piece, ops in self.touched.items())
        if key not in self.made:
            if len(self.made) > 5:
                self.made.clear()
            data = self.build(*key)
            self.made[key] = data, hashlib.blake2b(data).digest()
        return self.made[key]

    def build(self, of_size, *of_pieces):
        if not self.ops:
            return self.data
        buf = bytearray(self.data) + bytes(max(self.sizes) - len(self.data))
        runs = []       # pieces side by side that have taken the same: [from, to, operations]
        for (piece, ops), taken in sorted(zip(self.touched.items(), of_pieces)):
            if runs and runs[-1][1] == piece and runs[-1][2] == ops[:taken]:
                runs[-1][1] += 1
            else:
                runs.append([piece, piece + 1, ops[:taken]])
        for lo, hi, ops in runs:
            for k in ops:
                at, data = self.ops[k]
                a, b = max(lo * PIECE, at), min(hi * PIECE, len(buf))
                if data is not None:
                    b = min(b, at + len(data))
                buf[a:b] = bytes(max(b - a, 0)) if data is None else data[a - at:b - at]
        size = self.sizes[of_size]
        return bytes(buf[:size]) + bytes(max(size - len(buf), 0))

    def sync(self):
        self.data = self.content(ALL)[0]
        self.ops, self.touched, self.sizes, self.made = [], {}, [len(self.data)], {}


class Folder:
    def __init__(self, mode):
        self.mode = mode
        self.live, self.safe = {}, {}
        self.ops = []           # (number of a call, name, what it is, or was, and is it there)

    def add(self, call, name, what, there):
        if there:
            self.live[name] = what
        else:
            del self.live[name]
        self.ops.append((call, name, what, there))

    def names(self, choice):
        names = dict(self.safe)
        for call, name, what, there in self.ops:
            if there and choice.name(call) > 0:
                names[name] = what
            elif not there and choice.name(call) > 1 and names.get(name) is what:
                del names[name]
        return names


# how much of the changes of a name (2: all), of a piece and of a size is on the disk
Choice = collections.namedtuple('Choice', 'name piece size')
ALL = Choice(lambda call: 2, lambda file, piece, n: n, lambda file, n: n)
NONE = Choice(lambda call: 0, lambda file, piece, n: 0, lambda file, n: 0)


class Disk:
    """The files below a folder, and what a log of calls makes of them."""
    def __init__(self, place):
        self.known, self.calls = {}, 0
        self.whole = set()      # calls that are done in both folders or in none
        self.root = self.scan(place)

    def scan(self, path):
        st = os.lstat(path)
        if os.path.isdir(path):
            new = Folder(st.st_mode & 0o777)
            for name in os.listdir(path):
                new.live[name] = self.scan(f'{path}/{name}')
            new.safe = dict(new.live)
        else:
            with open(path, 'rb') as f:
                new = File(f.read(), st.st_mode & 0o777, st.st_mtime_ns)
        self.known[str(st.st_ino)] = new
        return new

    def call(self, word, data):
        known, kind = self.known, word[0]
        self.calls += 1
        if kind in 'WTS':
            what = known.get(word[1])
            if what is None:
                return
            if kind == 'S':
                self.sync(what)
            else:
                what.add(int(word[2]), data if kind == 'W' else None)
            return
        folder = known.get(word[1])
        if folder is None:
            return
        if kind in 'CM':
            mode = int(word[4], 8)
            new = File(b'', mode) if kind == 'C' else Folder(mode)
            known[word[3]] = new
            folder.add(self.calls, word[2], new, True)
        elif kind == 'U':
            folder.add(self.calls, word[2], folder.live[word[2]], False)
        else:
            what = folder.live[word[2]]
            to = known[word[3]]
            if kind == 'X':
                self.whole.add(self.calls)
                folder.add(self.calls, word[2], to.live[word[4]], True)
            if to.live.get(word[4]) is what:
                return          # both are names of it: nothing is done
            to.add(self.calls, word[4], what, True)
            if kind == 'R':
                folder.add(self.calls, word[2], what, False)

    def sync(self, what):
        if isinstance(what, File):
            what.sync()
            return
        # what has left the folder has come into the other one
        gone = {call for call, _, _, there in what.ops if not there or call in self.whole}
        what.safe, what.ops = what.names(ALL), []
        for other in self.known.values():
            if isinstance(other, Folder) and any(op[0] in gone for op in other.ops):
                forced = NONE._replace(name=lambda call: 2 * (call in gone))
                other.safe = other.names(forced)
                other.ops = [op for op in other.ops if op[0] not in gone]

    def pending(self):
        """What is not safe: numbers of calls that gave or took names, and files."""
        calls = {op[0] for f in self.known.values() if isinstance(f, Folder) for op in f.ops}
        files = {f for f in self.known.values() if isinstance(f, File) and f.ops}
        return sorted(calls), sorted(files, key=lambda f: f.ops[0][0])

    def state(self, choice):
        """The files by their paths, folders are None; and a digest of all but times."""
        found, known = [], []

        def walk(folder, path):
            for name, what in sorted(folder.names(choice).items()):
                if isinstance(what, Folder):
                    found.append((path + name, None, what.mode, None))
                    known.append((path + name, what.mode))
                    walk(what, path + name + '/')
                else:
                    data, digest = what.content(choice)
                    found.append((path + name, data, what.mode, what.time))
                    known.append((path + name, what.mode, digest))
        walk(self.root, '')
        return found, hashlib.blake2b(repr(known).encode()).digest()


def put(state, place):
    """The files appear in the folder, and nothing else is there."""
    now = clock.time_ns()
    for old in os.scandir(place):
        (shutil.rmtree if old.is_dir(follow_symlinks=False) else os.unlink)(old.path)
    for path, data, mode, time in state:
        path = f'{place}/{path}'
        if data is None:
            os.mkdir(path, mode)
            continue
        fd = os.open(path, os.O_WRONLY | os.O_CREAT, mode)
        os.write(fd, data)
        os.close(fd)
        # a machine takes its time to start again
        os.utime(path, ns=(time or now - 120 * 10 ** 9,) * 2)


def read_log(path):
    with open(path, 'rb') as f:
        text = f.read()
    at, log = 0, []
    while at < len(text):
        end = text.index(b'\n', at)
        word = text[at:end].decode().split(' ')
        at = end + 1
        data = None
        if word[0] == 'W':
            data = text[at:at + int(word[3])]
            at += len(data)
        log.append((word, data))
    return log


def choices(rng, disk):
    """Ways in which what is not safe may be on the disk, some often; more if there are more."""
    calls, files = disk.pending()
    yield ALL
    yield NONE
    items = [('name', c, None) for c in calls]
    for f in files:
        items += [('size', f, None), ('file', f, None)]
        items += [('piece', f, p) for p in rng.sample(sorted(f.touched), min(9, len(f.touched)))]
    rng.shuffle(items)
    for most in (1, 0):
        for item in items:
            yield one_apart(most, *item)
    for _ in range(2 ** min(20, len(items))):
        yield at_random(rng)


def one_apart(most, kind, what, piece):
    """All but this one thing, or nothing but it."""
    other = 1 - most
    return Choice(
        name=lambda call: 2 * (other if kind == 'name' and call == what else most),
        piece=lambda f, p, n: n * (other if f is what and
            (kind == 'file' or kind == 'piece' and p == piece) else most),
        size=lambda f, n: n * (other if f is what and kind in ('file', 'size') else most))


def at_random(rng):
    names, pieces, whole = (rng.choice((0.1, 0.5, 0.9)) for _ in range(3))
    known = {}

    def of_name(call):
        if call not in known:
            known[call] = rng.choice((0, 1, 2)) if rng.random() < 0.2 else \
                2 * (rng.random() < names)
        return known[call]

    def of_part(file, n, most):
        if file not in known:
            known[file] = rng.choice((0, 1)) if rng.random() < whole else None
        if known[file] is not None:
            return n * known[file]
        return n if rng.random() < most else rng.randint(0, n)
    return Choice(of_name, lambda f, _, n: of_part(f, n, pieces), lambda f, n: of_part(f, n, 0.6))

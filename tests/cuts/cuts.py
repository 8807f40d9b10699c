#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""cuts.py LIBRARY [STATES [SEED [NAME...]]] -- cut the power while commands change files.

Each scenario of scenarios.py makes files and runs a command, of which the library (record.c) notes
what it does to the disk. disk.py makes states of it in which the power was cut. In each of them
the next command has to find the old array or the new one. Where that command mends something, the
power is cut once more.
"""
import collections
import copy
import multiprocessing
import os
import pathlib
import random
import shlex
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import disk  # noqa: E402
from scenarios import SCENARIOS  # noqa: E402

POINTS = 40     # of a long log not more are cut, or as many as there shall be states
RARE = 50       # drawn again where one of so many is new
ENV = dict(os.environ, TAF_HISTORY='off', SOURCE_DATE_EPOCH='1000000000', LC_ALL='C')
DROP = {k: ENV.pop(k) for k in ('CUTS_DROP',) if k in ENV}


class Run:
    def __init__(self, scenario, library, base, seed):
        self.s, self.base = scenario, base
        self.place, self.log = base + '/w', base + '/log'
        self.rng = random.Random(f'{seed} {scenario.name}')
        self.env = dict(ENV, LD_PRELOAD=library, TMPDIR=base)
        self.count = collections.Counter()
        self.seen, self.findings, self.servers = set(), [], {}

    def serve(self, command, logged):
        """A process that waits at main of the command to run it: record.c. Where it hears."""
        words = ['sh', '-c', command]
        if not any(c in command for c in ('>', '&&', ';', '\n')):
            words = shlex.split(command)
        env = dict(self.env, CUTS_SERVE='1')
        if logged:
            env.update(CUTS_LOG=self.log, **DROP)
        ask, hear = os.pipe(), os.pipe()
        files = [(os.POSIX_SPAWN_OPEN, k, name, os.O_RDWR | os.O_CREAT, 0o600)
            for k, name in enumerate(('/dev/null', self.base + '/out', self.base + '/err'))]
        files += [(os.POSIX_SPAWN_DUP2, ask[0], 498), (os.POSIX_SPAWN_DUP2, hear[1], 499)]
        pid = os.posix_spawnp(words[0], words, env, file_actions=files)
        os.close(ask[0])
        os.close(hear[1])
        return ask[1], hear[0], pid

    def end(self):
        for ask, hear, pid in self.servers.values():
            os.close(ask)
            os.close(hear)
            os.waitpid(pid, 0)

    def shell(self, command, logged=False):
        """Status, standard output and messages."""
        if (command, logged) not in self.servers:
            self.servers[command, logged] = self.serve(command, logged)
        ask, hear, _ = self.servers[command, logged]
        os.write(ask, b'1')
        answer = os.read(hear, 4)
        if len(answer) != 4:
            raise RuntimeError(f'{self.s.name}: cannot run: {command}')
        return os.waitstatus_to_exitcode(int.from_bytes(answer, sys.byteorder)), *(
            pathlib.Path(self.base + name).read_bytes() for name in ('/out', '/err'))

    def recorded(self, command):
        """A disk as it is, what the command does to it, and how it ends."""
        start = disk.Disk(self.place)
        open(self.log, 'w').close()
        end = self.shell(command, True)
        return start, disk.read_log(self.log), end

    def look(self):
        """What each of the looks finds, and all their messages."""
        found, said = [], b''
        for look in self.s.looks:
            status, out, err = self.shell(look)
            found.append((status, out if status == 0 else b''))
            said += err
        return found, said

    def judge(self, found, said, last, where):
        """What was found is good, or a finding."""
        good = True
        for k, (status, _) in enumerate(found):
            what = 'new' if found[k] == self.new[k] else 'old' if found[k] == self.old[k] and \
                not self.s.always_new else 'refused' if status in (1, 3, 4) else 'wrong'
            self.count[what] += 1
            if what == 'wrong' or what == 'old' and last or \
                    what == 'refused' and (last or not self.may_refuse):
                good = False
                self.findings.append(f'{where}: {self.s.looks[k]}: {what}, status {status}: ' +
                    said.decode(errors='replace').strip()[:200])
        return good

    def main(self, states):
        os.mkdir(self.place, 0o755)
        os.chdir(self.place)
        status, _, err = self.shell(self.s.setup)
        if status != 0:
            raise RuntimeError(f'{self.s.name}: setup: {err.decode()}')
        first = disk.Disk(self.place).state(disk.ALL)[0]
        self.old = self.look()[0]
        disk.put(first, self.place)
        start, log, end = self.recorded(self.s.command)
        if end[0] != 0:
            raise RuntimeError(f'{self.s.name}: {end[2].decode()}')
        self.may_refuse = self.s.may_refuse or self.s.exchanges and not any(
            words[0] == 'X' for words, _ in log)
        # the model has all that is there
        model = disk.Disk(self.place).state(disk.ALL)[0]
        self.new = self.look()[0]
        if self.new == self.old and not self.s.always_new or any(s for s, _ in self.new):
            raise RuntimeError(f'{self.s.name}: nothing is new: {self.look()}')
        after = {x[:2] for x in self.cut(start, log, states, 1)}
        wrong = sorted({x[0] for x in after ^ {x[:2] for x in model}})
        if wrong:
            raise RuntimeError(f'{self.s.name}: calls were not noted: {wrong}')

    def cut(self, start, log, states, depth):
        """Try so many states between all calls; what is there at the end."""
        left, drawn, tried = states, 0, 1
        # draw again as long as enough of what is drawn was not yet tried
        while left > 0 and drawn < RARE * tried:
            points = self.rng.sample(range(len(log)), min(len(log), max(POINTS, states)))
            points = sorted(points) + [len(log)]
            share = left // len(points) + 1
            drawn = tried = 0
            for at, now in replay(start, log, points):
                last = at == len(log)
                promised = last and depth == 1 and self.s.promised
                ways = zip(range(max(share, 40 * last)), disk.choices(self.rng, now))
                for drawn, (n, choice) in enumerate(ways, drawn + 1):
                    tried += self.try_state(*now.state(choice), promised,
                        f'call {at} of {len(log)}, {n}', depth)
            left -= tried
        return now.state(disk.ALL)[0]

    def try_state(self, state, digest, last, where, depth):
        """Is it one that was not yet tried?"""
        if (digest, last) in self.seen:
            return False
        self.seen.add((digest, last))
        self.count[f'cut {depth}'] += 1
        disk.put(state, self.place)
        log = []
        if depth == 1 and self.rng.random() < self.s.again:
            start, log, _ = self.recorded(self.s.looks[0])
            disk.put(state, self.place)
        good = self.judge(*self.look(), last, where)
        if good and self.s.redo is not None and self.rng.random() < 0.2:
            status, _, said = self.shell(self.s.redo)
            found, more = self.look()
            good = self.judge(found, said + more, True, f'{where}, redone ({status})')
        if not good and 'CUTS_KEEP' in os.environ:
            keep = f"{os.environ['CUTS_KEEP']}/{self.s.name}-{len(self.findings)}"
            os.makedirs(keep)
            disk.put(state, keep)
        if log:
            self.cut(start, log, self.s.second, 2)
        return True


def replay(start, log, points):
    """The disk at these points, before a call of that number or behind the last one."""
    now, done = copy.deepcopy(start), 0
    for at in points:
        for words, data in log[done:at]:
            now.call(words, data)
        done = at
        yield at, now


def one(task):
    scenario, library, states, seed = task
    shm = os.access('/dev/shm', os.W_OK)
    base = tempfile.mkdtemp(prefix='cuts-', dir='/dev/shm' if shm else None)
    run = Run(scenario, library, base, seed)
    try:
        run.main(states)
        return scenario.name, run.count, run.findings
    except RuntimeError as e:
        return scenario.name, collections.Counter(), [str(e)]
    finally:
        run.end()
        os.chdir('/')
        shutil.rmtree(base)


def main(library, states='3000', seed='1', *names):
    tools = os.environ['TAF_BIN']
    ENV['PATH'] = os.environ['PATH'] = tools + ':' + os.environ['PATH']
    wanted = [s for s in SCENARIOS if (not names or s.name in names) and
        all(os.access(f'{tools}/{c}', os.X_OK) for c in s.needs)]
    whole = sum(s.weight for s in wanted)
    tasks = [(s, os.path.abspath(library), int(states) * s.weight // whole + 1, seed)
        for s in wanted]
    bad = total = 0
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for name, count, findings in pool.imap_unordered(one, tasks, 1):
            total += count['cut 1'] + count['cut 2']
            bad += len(findings)
            print(f'{name:20}', ' '.join(f'{v} {k}' for k, v in sorted(count.items())))
            print(*(f'\t{f}\n' for f in findings[:6]), sep='', end='', flush=True)
    print(f'{total} states, {bad} findings')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))

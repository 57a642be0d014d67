#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Random D programs that type-check: each must compile, load and run, whatever it means.

    tests/fuzz/programs.py SEED COUNT [OPTION OF DTRACE...]

as root, with $DTRACE and $CALLS (tests/fixture/calls). With -d in front of the options each program
also runs with every statement inside "if (one)": what the optimiser knows from one statement it
must not need for the next, so the output is the same. Programs that fail stay in the current
directory as fuzz-SEED-NUMBER.d.
"""
import os
import random
import signal
import subprocess
import sys

DECLARATIONS = '''
int g1, g2, one; uint64_t g3; char g4; unsigned short g5; string gs, gt; int arr[4];
int64_t as1[int]; string as2[string, int]; char as3[string];
self int s1; self uint64_t s2; self string ss; self char s3; self int64_t sa[string];
this int t1; this uint64_t t2; this string ts, tt; this char t3; this int *p;
struct pt { int x; short y:5; short z:11; char n[8]; };
struct pt gp; self struct pt sp; this struct pt tp; struct pt ap[int];
int8_t i8; uint8_t u8; int16_t i16; uint16_t u16; int32_t i32; uint32_t u32;
int64_t i64; uint64_t u64; _Bool bo;
signed char sc; long sl; unsigned long ul; long long ll; size_t sz; intptr_t ip;
enum en { E0, E1 = 7, EN = -3, } ge;
union un { int i; char c[8]; struct { short s1, s2; } s; uint64_t u; } gu;
self union un su; this union un tu;
int ar2[3][4]; self short sar[4]; this uint8_t tar[8]; struct pt parr[3];
int64_t as4[string, int, uint64_t, char]; struct pt as5[string, short];
uint8_t as6[pid_t, string]; string as7[uint64_t];
struct tin { int a; char b[12]; unsigned long c; struct pt d; };
struct tout { int x; uint64_t y; string z; char w; };
translator struct tout < struct tin *p > {
	x = p->a + p->d.z; y = p->c << 3; z = stringof(p->b); w = p->b[1]; };
translator struct tin < struct task_struct *t > { a = t->pid; c = t->flags ? t->prio : 7; };
this struct tin *ti; self int spec;
inline int64_t mx[int64_t x, int64_t y] = x > y ? x : y;
inline string cat[string x, string y] = strjoin(x, y);
inline int tw[int x] = x * 2;
inline string yn[int x] = x ? "yes" : NULL;
BEGIN { one = 1; this->st = stack(20); self->sst = stack(20); ast[1] = stack(20);
	self->sst = 0; ast[1] = 0; }
'''
INTS = ['g1', 'g2', 'g3', 'g4', 'g5', 'self->s1', 'self->s2', 'self->s3', 'this->t1', 'this->t2',
        'this->t3', 'gp.x', 'gp.y', 'gp.z', 'self->sp.x', 'self->sp.y', 'this->tp.x', 'this->tp.z',
        'ap[{i}].x', 'arr[{i} & 3]', 'as1[{i}]', 'as3[{s}]', 'self->sa[{s}]', 'i8', 'u8', 'i16',
        'u16', 'i32', 'u32', 'i64', 'u64', 'sc', 'sl', 'ul', 'll', 'sz', 'ip', 'gu.i', 'gu.s.s2',
        'gu.u', 'self->su.s.s1', 'this->tu.i', 'ar2[{i} & 1][{i} & 3]', 'self->sar[{i} & 3]',
        'this->tar[{i} & 7]', 'gu.c[{i} & 7]', 'parr[{i} & 1].z', 'parr[1].n[{i} & 7]',
        'as4[{s}, {i}, {i}, {i}]', 'as5[{s}, {i}].x', 'as6[{i}, {s}]']
STRINGS = ['gs', 'gt', 'self->ss', 'this->ts', 'this->tt', 'as2[{s}, {i}]', 'as7[{i}]']
INT_LEAVES = ['1', '0', '-7', '3', '0x7fffffff', '255', 'g1', 'self->s1', 'this->t2', 'uid', 'id',
              'errno', 'this->t1']
UNSTEADY = ['pid', 'cpu', 'timestamp', 'arg0', 'vtimestamp', 'walltimestamp', 'ipl', 'epid', 'tid',
            'ppid', 'stackdepth', 'curthread->pid', 'curpsinfo->pr_pid', 'curlwpsinfo->pr_pri',
            'curcpu->cpu_id', 'rand()', 'progenyof(pid)', 'xlate <struct tin>(curthread).c',
            'xlate <struct tin *>(curthread)->a', 'ustackdepth', '(this->st ? 1 : 0)', 'lgrp',
            'pset', 'chip', 'nspid', 'nstid', 'ncpus', 'strlen(cwd)', 'caller']
UNSTEADY_STRINGS = ['curpsinfo->pr_fname', 'curpsinfo->pr_psargs', 'stringof(curthread->comm)',
                    'cwd', 'root', 'fds[1].fi_name', 'fds[{i} & 3].fi_fs', 'execargs', 'zonename',
                    'probeprov', 'probemod']
FLAGS = ['', '5', '-9', '08', '.4', '-12.6', "'"]
TYPES = ['int8_t', 'uint8_t', 'int16_t', 'uint16_t', 'int32_t', 'uint32_t', 'int64_t', 'uint64_t',
         'long', 'size_t', 'unsigned short', '_Bool', 'enum en', 'intptr_t', 'pid_t']
STRING_LEAVES = ['"a"', '""', '"some longer text"', 'execname', 'probefunc', 'probename', 'gs',
                 'this->ts', 'self->ss']
INT_FORMS = ['({i} + {i})', '({i} - {i})', '({i} * {i})', '({i} & {i})', '({i} | {i})',
             '({i} ^ {i})', '({i} < {i})', '({i} == {i})', '({i} >= {i})', '({i} && {i})',
             '({i} || {i})', '({i} ^^ {i})', '({i} ? {i} : {i})', '({s} == {s})', '({s} < {s})',
             '({s} != {s})', 'strlen(strjoin({n}, "x"))', 'strlen(execname)', '(char){i}',
             '(uint64_t){i}', '(unsigned char){i}', '({i} / 3)', '({i} % (1 + ({i} & 7)))',
             'tw[{i}]', '({i} << 5)', '({i} >> 3)', '-({i})', '~({i})', '!({i})', '({T}){i}',
             '({T}){i}', '({T}){i}', 'mx[{i}, {i}]', '({i} <= {i})', '({i} != {i})', '({i} > {i})',
             '({i} << ({i} & 31))', '({i} >> ({i} & 63))', '({i} / (1 + ({i} & 15)))', '({i} % 7)',
             '({i}, {i})', '({s} != NULL)', '({s} >= {s})', 'index({n}, {n})',
             'rindex({n}, {n}, {i})', 'index({n}, {n}, {i})', 'strtoll({n})', 'strtoll({n}, 16)',
             'htons({i})', 'ntohl({i})', 'htonll({i})', 'getmajor({i})', 'strlen({n})',
             'sizeof (struct pt)', 'sizeof (gp.n)', 'offsetof (struct pt, n)', 'E1', '(enum en){i}',
             '*(int *)alloca(8)', '((struct pt *)alloca(sizeof (struct pt)))->z', 'this->ti->a',
             'this->ti->d.y', 'xlate <struct tout>(this->ti).x', 'xlate <struct tout>(this->ti).y',
             'xlate <struct tout *>(this->ti)->w', '{n}[{i} & 3]', 'strncmp({n}, {n}, {i})',
             'strncmp({n}, {n}, 3)', 'strcontains({n}, {n})',
             'container_of(&this->ti->d, struct tin, d)->a', '(int)(int8_t){i}',
             '(as2[{s}, {i}] == {s})', '{I}', '{I}', '{I}', '{I}', '{I}']
STRING_FORMS = ['strjoin({n}, {n})', 'substr({n}, 1, 3)', '({i} ? {s} : {s})', 'lltostr({i})',
                'yn[{i}]', 'basename({n})', '{S}', '{S}', 'dirname({n})', 'cleanpath({n})',
                'toupper({n})', 'tolower({n})', 'strchr({n}, {i})', 'strrchr({n}, {i})',
                'strstr({n}, {n})', 'strtok({n}, {n})', 'strtok(NULL, {n})', 'substr({n}, {i})',
                'substr({n}, {i}, {i})', 'lltostr({i}, 16)', 'lltostr({i}, 2)', 'stringof(gp.n)',
                'stringof(parr[1].n)', '(string)this->tp.n', 'cat[{n}, {n}]', 'json({n}, {n})',
                '({s} == NULL ? {n} : {s})', 'xlate <struct tout>(this->ti).z',
                'stringof(this->ti->b)', 'inet_ntoa((ipaddr_t *)alloca(4))', 'strerror({i})',
                'signame({i} & 63)', '{S}']
NOT_NULL = ['"q"', 'execname', 'probename', 'lltostr({i})', '(gs == NULL ? "" : gs)',
            '(this->ts == NULL ? "" : this->ts)']
STATEMENTS = ['{I} = {i};', '{I} += {i};', '{I} -= {i};', '{I} *= {i};', '{I} |= {i};', '{I} = 0;',
              '{I}++;', '--{I};', '{S} = {s};', '{S} = NULL;', '{P} = {Q};',
              '@a1[{i}, {s}] = count();', '@a2[{i}, {s}] = sum({i});', '@a3[{s}] = quantize({i});',
              '@a4[{i}] = avg({i});', '@a5[{s}, {s}] = max({i});',
              '@a6 = lquantize({i}, 0, 100, 10);', 'printf("%d %s %d\\n", {i}, {s}, {i});',
              '{i} ? trace({i}) : trace({s});', '@b1[{i}, {i}, {i}, {s}] = stddev({i});',
              '@b2[{s}, ({T}){i}] = min({i});', '@b3 = llquantize({i}, 10, 0, 6, 20);',
              '@b4[(char){i}, (short){i}] = lquantize({i}, -100, 100, 7, {i});',
              '@b5[{s}] = quantize({i}, {i});', '@b6[gp.n, (enum en){i}] = count();',
              '@b7[{i}] = llquantize({i}, 2, 0, 10, 2, {i});', '@b8 = max({i});',
              '@b9[{s}] = sum({i} ? {i} : {i});', '@a1[{i}, {s}] = count(); printa(@a1);',
              '@a1[{i}, {s}] = count(); printa("%d %s %@d\\n", @a1);',
              '@a3[{s}] = quantize({i}); printa("%s %@d\\n", @a3);',
              '@a3[{s}] = quantize({i}); printa("%s %@p50 %@8p99.9\\n", @a3);',
              'this->p = (int *)alloca({i} & 1023); this->p[{i} & 255] = {i};',
              'bcopy(this->ti, alloca(16), {i} & 15);', '@a2[{i}, {s}] = sum({i}); clear(@a2);',
              '@a5[{s}, {s}] = max({i}); trunc(@a5, 3);',
              '@b5[{s}] = quantize({i}, {i}); trunc(@b5);',
              '@a2[{i}, {s}] = sum({i}); normalize(@a2, 3);',
              '@a2[{i}, {s}] = sum({i}); denormalize(@a2);',
              '@b9[{s}] = sum({i}); printa("%s %@8u\\n", @b9);',
              'printf("%{f}d %s %{f}x %-10s\\n", {i}, {s}, {i}, {s});',
              'printf("%*d|%-*s|%.3s|%c\\n", (int){i} & 15, {i}, (int){i} & 7, {s}, {n}, '
              '(char){i});',
              'printf("%{f}o %{f}u %i %%%S\\n", {i}, {i}, {i}, {s});',
              'printf("%Y %v %v\\n", (int64_t){i}, {i}, {s});',
              'printf("%s %p\\n", (enum en){i}, {i});', 'trace({i});', 'trace({s});', 'trace(gp);',
              'print({i});', 'print({s});', 'print(gp);', 'print(gu);', 'pcap({i}, PCAP_IP);',
              'pcap((void *){i}, (int){i} | pid);', 'tracemem(alloca(16), 16, {i});',
              'tracemem(alloca(8), 8);',
              'this->ti = (struct tin *)alloca(sizeof (struct tin)); this->ti->a = {i}; '
              'this->ti->d.z = {i}; this->ti->b[2] = {i};',
              'bcopy(alloca(16), this->ti, 16);', 'gu = self->su;', 'this->tu = gu;',
              'parr[{i} & 1] = gp;', 'as5[{s}, {i}] = gp;', 'as5[{s}, 2] = 0;',
              'ge = (enum en){i};', '{I} <<= {i} & 7;', '{I} >>= {i} & 7;', '{I} ^= {i};',
              '{I} &= {i};', '{I} /= (1 + ({i} & 7));', '{I} %= 9;', '{I}--;', '++{I};',
              'self->ss = 0;', 'as4[{s}, 1, 2, 3] = 0;',
              '{i} ? @c1[{s}] = count() : @c2[{i}] = sum({i});',
              'this->p = (int *)alloca(16); this->p[0] = {i}; this->p[1] = 5; '
              '{I} = this->p[1] + *this->p;']
UNSTEADY_STATEMENTS = ['@d1[stack(), {s}] = count();', '@d2[ustack(3), {i}] = sum({i});',
                       '@d3[sym(caller), func({i}), mod({i})] = min({i});',
                       '@d4[usym({i}), ufunc(ucaller), umod({i})] = max({i});',
                       '@d5[this->st, self->sst, {i}] = avg({i});', 'this->st = stack({k});',
                       'self->sst = stack();', 'self->sst = 0;', 'ast[{i}] = stack(5);',
                       'printf("%k %a %s\\n", stack({k}), {i}, {s});', 'stack({k});', 'ustack();',
                       'ustack({k}, 40);', 'sym({i});', 'usym({i});',
                       'printf("%Y %T %A\\n", walltimestamp, walltimestamp, {i});',
                       'print(curthread->comm);', 'trace(curthread->comm);',
                       'tracemem(curthread, 24);', 'print(curthread->se);',
                       '@d6[ast[{i}]] = count();', 'trace(this->st);',
                       'printf("%s %d\\n", curpsinfo->pr_psargs, curlwpsinfo->pr_lwpid);',
                       '{S} = execname;']
SPECULATED = ['printf("%{f}d %s\\n", {i}, {s});', 'trace({i});', 'trace({s});', 'print(gp);',
              '{I} = {i};', '{S} = {s};', 'stack({k});', '{I} += {i};']
PROBES = ['BEGIN', 'END', 'syscall::getppid:entry', 'syscall::getppid:entry',
          'syscall::get*id:entry', 'syscall::getppid:return']


class Writer:
    def __init__(self, seed, steady):
        self.r = random.Random(seed)
        self.leaves = INT_LEAVES if steady else INT_LEAVES + UNSTEADY
        self.string_leaves = STRING_LEAVES if steady else STRING_LEAVES + UNSTEADY_STRINGS
        self.forms = STATEMENTS if steady else STATEMENTS + UNSTEADY_STATEMENTS
        self.steady = steady

    def fill(self, form, depth):
        """Each {letter} of a form becomes an expression of its kind."""
        out, rest = '', form
        kinds = {'T': (TYPES, TYPES), 'f': (FLAGS, FLAGS), 'k': (['1', '5', '20'], ['3']),
                 'i': (INT_FORMS, self.leaves), 's': (STRING_FORMS, self.string_leaves),
                 'n': (NOT_NULL, NOT_NULL[:3]), 'I': (INTS, INTS[:6]), 'S': (STRINGS, STRINGS[:4]),
                 'P': (['gp', 'self->sp', 'this->tp', 'ap[{i}]'], ['gp']),
                 'Q': (['gp', 'self->sp', 'this->tp', 'ap[1]'], ['gp'])}
        while '{' in rest:
            at = rest.index('{')
            forms, leaves = kinds[rest[at + 1]]
            out += rest[:at] + self.fill(self.r.choice(forms if depth > 0 else leaves), depth - 1)
            rest = rest[at + 3:]
        return out + rest

    def statements(self, depth, wrap):
        lines = []
        for _ in range(self.r.randrange(1, 7)):
            if depth and self.r.random() < .15:
                condition = self.fill('{i}', 2)
                lines += ['if (%s) {' % condition, *self.statements(depth - 1, wrap), '} else {',
                          *self.statements(depth - 1, wrap), '}']
            else:
                text = self.fill(self.r.choice(self.forms), 3)
                lines.append('if (one) { %s }' % text if wrap else text)
        return lines

    def program(self, wrap):
        text = DECLARATIONS
        for _ in range(self.r.randrange(1, 5)):
            probe, predicate = self.r.choice(PROBES), []
            if probe.startswith('syscall'):
                predicate.append('pid == $target')
            if self.r.random() < .3:
                predicate.append(self.fill('{i}', 2))
            if self.steady or self.r.random() < .7:
                body = self.statements(2, wrap)
            else:
                body = self.speculation()
            condition = '/ %s/\n' % ' && '.join(predicate) if predicate else ''
            text += '\n%s\n%s{\n\t%s\n}\n' % (probe, condition, '\n\t'.join(body))
        return text

    def speculation(self):
        """A clause that begins, fills or ends one: what may follow what is D's rule."""
        first = self.r.choice(['self->spec = speculation();', 'speculate(self->spec);',
                               'speculate(self->spec);', 'commit(self->spec);',
                               'discard(self->spec);'])
        if first.startswith('commit') or first.startswith('discard'):
            return [first, 'self->spec = 0;']
        return [first] + [self.fill(self.r.choice(SPECULATED),
                                    3) for _ in range(self.r.randrange(1, 5))]


def run(name, text, options):
    with open(name, 'w') as f:
        f.write(text)
    command = ['timeout', os.environ.get('TIMEOUT', '60'), os.environ.get('DTRACE', 'dtrace'), '-q',
               '-s', name, '-c', os.environ.get('CALLS', 'calls') + ' -n 5']
    return subprocess.run(command + options, capture_output=True)


def main():
    seed, count, options = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    steady = options[:1] == ['-d']
    options = options[1:] if steady else options
    probe = run('fuzz-works.d', 'BEGIN { exit(7); }', [])
    os.unlink('fuzz-works.d')
    if probe.returncode != 7:
        sys.exit('$DTRACE and $CALLS do not work: %s' % probe.stderr.decode(errors='replace'))
    failed = done = 0
    signal.signal(signal.SIGTERM,
                  lambda *_: sys.exit('ended after %d programs, %d failed' % (done, failed)))
    for n in range(count):
        done = n
        name, other = 'fuzz-%d-%d.d' % (seed, n), 'fuzz-%d-%d-if.d' % (seed, n)
        key = seed * 1000003 + n
        a = run(name, Writer(key, steady).program(False), options)
        bad = a.returncode != 0 or b'failed to' in a.stderr
        if steady:
            b = run(other, Writer(key, steady).program(True), options)
            faults = [x.stderr.count(b'error in') for x in (a, b)]
            bad = bad or a.stdout != b.stdout or faults[0] != faults[1]
        if bad:
            failed += 1
            print('%s: status %d: %s' % (name, a.returncode,
                                         a.stderr.decode(errors='replace')[:300]),
                  flush=True)
            continue
        os.unlink(name)
        if steady:
            os.unlink(other)
    print('%d programs, %d failed' % (count, failed))
    return 1 if failed else 0


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Random D programs that type-check: each must compile, load and run, whatever it means.

    tests/fuzz/programs.py SEED COUNT [OPTION OF DTRACE...]       as root, with $DTRACE and $CALLS (tests/fixture/calls)

With -d in front of the options each program also runs with every statement inside "if (one)": what the optimiser
knows from one statement it must not need for the next, so the output is the same. Programs that fail stay in the
current folder as fuzz-SEED-NUMBER.d.
"""
import os
import random
import subprocess
import sys

DECLARATIONS = '''
int g1, g2, one; uint64_t g3; char g4; unsigned short g5; string gs, gt; int arr[4];
int64_t as1[int]; string as2[string, int]; char as3[string];
self int s1; self uint64_t s2; self string ss; self char s3; self int64_t sa[string];
this int t1; this uint64_t t2; this string ts, tt; this char t3; this int *p;
struct pt { int x; short y:5; short z:11; char n[8]; };
struct pt gp; self struct pt sp; this struct pt tp; struct pt ap[int];
inline int tw[int x] = x * 2;
inline string yn[int x] = x ? "yes" : NULL;
BEGIN { one = 1; }
'''
INTS = ['g1', 'g2', 'g3', 'g4', 'g5', 'self->s1', 'self->s2', 'self->s3', 'this->t1', 'this->t2', 'this->t3', 'gp.x', 'gp.y',
        'gp.z', 'self->sp.x', 'self->sp.y', 'this->tp.x', 'this->tp.z', 'ap[{i}].x', 'arr[{i} & 3]', 'as1[{i}]', 'as3[{s}]',
        'self->sa[{s}]']
STRINGS = ['gs', 'gt', 'self->ss', 'this->ts', 'this->tt', 'as2[{s}, {i}]']
INT_LEAVES = ['1', '0', '-7', '3', '0x7fffffff', '255', 'g1', 'self->s1', 'this->t2', 'uid', 'id', 'errno', 'this->t1']
UNSTEADY = ['pid', 'cpu', 'timestamp', 'arg0', 'vtimestamp', 'walltimestamp', 'ipl', 'epid']
STRING_LEAVES = ['"a"', '""', '"some longer text"', 'execname', 'probefunc', 'probename', 'gs', 'this->ts', 'self->ss']
INT_FORMS = ['({i} + {i})', '({i} - {i})', '({i} * {i})', '({i} & {i})', '({i} | {i})', '({i} ^ {i})', '({i} < {i})',
             '({i} == {i})', '({i} >= {i})', '({i} && {i})', '({i} || {i})', '({i} ^^ {i})', '({i} ? {i} : {i})', '({s} == {s})',
             '({s} < {s})', '({s} != {s})', 'strlen(strjoin({n}, "x"))', 'strlen(execname)', '(char){i}', '(uint64_t){i}',
             '(unsigned char){i}', '({i} / 3)', '({i} % (1 + ({i} & 7)))', 'tw[{i}]', '({i} << 5)', '({i} >> 3)', '-({i})',
             '~({i})', '!({i})', '{I}', '{I}', '{I}', '{I}']
STRING_FORMS = ['strjoin({n}, {n})', 'substr({n}, 1, 3)', '({i} ? {s} : {s})', 'lltostr({i})', 'yn[{i}]', 'basename({n})', '{S}', '{S}']
NOT_NULL = ['"q"', 'execname', 'probename', 'lltostr({i})', '(gs == NULL ? "" : gs)', '(this->ts == NULL ? "" : this->ts)']
STATEMENTS = ['{I} = {i};', '{I} += {i};', '{I} -= {i};', '{I} *= {i};', '{I} |= {i};', '{I} = 0;', '{I}++;', '--{I};', '{S} = {s};',
              '{S} = NULL;', '{P} = {Q};', '@a1[{i}, {s}] = count();', '@a2[{i}, {s}] = sum({i});', '@a3[{s}] = quantize({i});',
              '@a4[{i}] = avg({i});', '@a5[{s}, {s}] = max({i});', '@a6 = lquantize({i}, 0, 100, 10);',
              'printf("%d %s %d\\n", {i}, {s}, {i});', '{i} ? trace({i}) : trace({s});',
              'this->p = (int *)alloca(16); this->p[0] = {i}; this->p[1] = 5; {I} = this->p[1] + *this->p;']
PROBES = ['BEGIN', 'END', 'syscall::getppid:entry', 'syscall::getppid:entry', 'syscall::get*id:entry', 'syscall::getppid:return']


class Writer:
    def __init__(self, seed, steady):
        self.r = random.Random(seed)
        self.leaves = INT_LEAVES if steady else INT_LEAVES + UNSTEADY

    def fill(self, form, depth):
        """Each {letter} of a form becomes an expression of its kind."""
        out, rest = '', form
        kinds = {'i': (INT_FORMS, self.leaves), 's': (STRING_FORMS, STRING_LEAVES), 'n': (NOT_NULL, NOT_NULL[:3]),
                 'I': (INTS, INTS[:6]), 'S': (STRINGS, STRINGS[:4]), 'P': (['gp', 'self->sp', 'this->tp', 'ap[{i}]'], ['gp']),
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
                text = self.fill(self.r.choice(STATEMENTS), 3)
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
            text += '\n%s\n%s{\n\t%s\n}\n' % (probe, '/%s/\n' % ' && '.join(predicate) if predicate else '',
                                           '\n\t'.join(self.statements(2, wrap)))
        return text


def run(name, text, options):
    with open(name, 'w') as f:
        f.write(text)
    command = ['timeout', '20', os.environ.get('DTRACE', 'dtrace'), '-q', '-s', name, '-c', os.environ.get('CALLS', 'calls') + ' -n 5']
    return subprocess.run(command + options, capture_output=True)


def main():
    seed, count, options = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    steady = options[:1] == ['-d']
    options = options[1:] if steady else options
    probe = run('fuzz-works.d', 'BEGIN { exit(7); }', [])
    os.unlink('fuzz-works.d')
    if probe.returncode != 7:
        sys.exit('$DTRACE and $CALLS do not work: %s' % probe.stderr.decode(errors='replace'))
    failed = 0
    for n in range(count):
        name, other = 'fuzz-%d-%d.d' % (seed, n), 'fuzz-%d-%d-if.d' % (seed, n)
        key = seed * 1000003 + n
        a = run(name, Writer(key, steady).program(False), options)
        bad = a.returncode != 0 or b'failed to' in a.stderr
        if steady:
            b = run(other, Writer(key, steady).program(True), options)
            bad = bad or a.stdout != b.stdout or a.stderr.count(b'error in') != b.stderr.count(b'error in')
        if bad:
            failed += 1
            print('%s: status %d: %s' % (name, a.returncode, a.stderr.decode(errors='replace')[:300]), flush=True)
            continue
        os.unlink(name)
        if steady:
            os.unlink(other)
    print('%d programs, %d failed' % (count, failed))
    return 1 if failed else 0


sys.exit(main())

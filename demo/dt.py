#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""libdt in Python: records and aggregations of a D program as dicts.

    demo/dt.py 'syscall::openat:entry { trace(execname); @[execname] = count(); }
        tick-1s { exit(0); }'

prints an object for each record, then one for each row of the aggregations. DT_LIBRARY names
another library than libdt.so.1. See libdt(3).
"""
import ctypes as c
import json
import os
import sys

P, S = c.POINTER, c.c_char_p


def struct(struct_name, **fields):
    """A structure of dt.h; each but a bucket begins with its size."""
    return type(struct_name, (c.Structure,), {"_fields_": list(fields.items())})


Probe = struct("Probe", size=c.c_size_t, id=c.c_uint32, provider=S, module=S, function=S, name=S)
Frame = struct("Frame", size=c.c_size_t, address=c.c_uint64, symbol=S, object=S, offset=c.c_uint64,
               file=S, line=c.c_int, text=S)


class Value(c.Structure):
    pass


Value._fields_ = [
    ("size", c.c_size_t), ("kind", c.c_int), ("is_signed", c.c_bool), ("bytes", c.c_uint32),
    ("num", c.c_int64), ("real", c.c_double), ("data", c.c_void_p), ("length", c.c_size_t),
    ("name", S), ("type", S), ("text", S), ("pid", c.c_int),
    ("frames", P(P(Frame))), ("nframes", c.c_int), ("parts", P(P(Value))), ("nparts", c.c_int)]
Aggregation = struct("Aggregation", size=c.c_size_t, name=S, function=S, is_distribution=c.c_bool,
                     params=P(c.c_int64), nparams=c.c_int, nkeys=c.c_int, normal=c.c_int64,
                     printed=c.c_bool)
Bucket = struct("Bucket", low=c.c_int64, high=c.c_int64, count=c.c_int64)
Row = struct("Row", size=c.c_size_t, aggregation=P(Aggregation), keys=P(P(Value)), value=c.c_int64,
             buckets=P(Bucket), nbuckets=c.c_int, raw=P(c.c_int64), nraw=c.c_int)
Action = struct("Action", size=c.c_size_t, name=S, text=S, length=c.c_size_t, values=P(P(Value)),
                nvalues=c.c_int, rows=P(P(Row)), nrows=c.c_int)
Event = struct("Event", size=c.c_size_t, probe=P(Probe), clause=c.c_uint32, cpu=c.c_uint32,
               time=c.c_uint64, wall=c.c_uint64, pid=c.c_int, tid=c.c_int, execname=S,
               actions=P(P(Action)), nactions=c.c_int)
ON_EVENT = c.CFUNCTYPE(None, c.c_void_p, P(Event))
ON_ROW = c.CFUNCTYPE(c.c_int, c.c_void_p, P(Row))

lib = c.CDLL(os.environ.get("DT_LIBRARY", "libdt.so.1"))
lib.dt_open.restype = c.c_void_p
lib.dt_error.restype = S
SCRIPT, INT, POINTER, FLOAT, STRING, BYTES, SYMBOL, STACK, STRUCT, ARRAY = 5, *range(1, 10)


def text(s):
    return s.decode(errors="replace") if s is not None else None


def value(v):
    """A number, text, bytes, a list of frames, a dict of members, a list of elements."""
    data = c.string_at(v.data, v.length) if v.data else b""
    parts = [v.parts[i].contents for i in range(v.nparts)]
    frames = [text(v.frames[i].contents.text) for i in range(v.nframes)]
    return {INT: v.num if v.is_signed else v.num % (1 << 64), POINTER: v.num % (1 << 64),
            FLOAT: v.real, STRING: text(data), BYTES: data, SYMBOL: text(v.text), STACK: frames,
            STRUCT: {text(p.name): value(p) for p in parts},
            ARRAY: [value(p) for p in parts] if v.kind == ARRAY else None}.get(v.kind)


def row(r):
    a = r.aggregation.contents
    buckets = [{n: getattr(r.buckets[i], n) for n in ("low", "high", "count")}
               for i in range(r.nbuckets)]
    return {"name": text(a.name), "function": text(a.function), "value": r.value,
            "keys": [value(r.keys[i].contents) for i in range(a.nkeys)],
            **({"buckets": buckets} if a.is_distribution else {})}


def record(e):
    actions = [e.actions[i].contents for i in range(e.nactions)]
    return {"probe": ":".join(text(getattr(e.probe.contents, f))
                              for f in ("provider", "module", "function", "name")),
            "time": e.wall, "cpu": e.cpu, "pid": e.pid, "tid": e.tid,
            "execname": text(e.execname),
            "values": [value(a.values[i].contents) for a in actions for i in range(a.nvalues)],
            "text": "".join(text(a.text) for a in actions)}


class Session:
    def __init__(self, program, **options):
        self.dt, self.queue = c.c_void_p(lib.dt_open()), []
        self.receiver = ON_EVENT(lambda arg, e: self.queue.append(record(e.contents)))
        self.check(lib.dt_on_event(self.dt, self.receiver, None))
        for name, setting in options.items():
            self.check(lib.dt_setopt(self.dt, name.encode(), setting and setting.encode()))
        self.check(lib.dt_program(self.dt, SCRIPT, program.encode(), b"program"))

    def check(self, result):
        if result < 0:
            raise RuntimeError(text(lib.dt_error(self.dt)))
        return result

    def records(self):
        """Traces until the program ends, or the caller takes no more records."""
        self.check(lib.dt_go(self.dt, None))
        while self.check(lib.dt_work(self.dt, None)) == 0:
            yield from self.taken()
        self.check(lib.dt_stop(self.dt, None))
        yield from self.taken()

    def taken(self):
        queue, self.queue = self.queue, []
        return queue

    def aggregations(self):
        rows = []
        take = ON_ROW(lambda arg, r: rows.append(row(r.contents)) or 0)
        self.check(lib.dt_aggregations(self.dt, take, None))
        return rows

    def close(self):
        lib.dt_close(self.dt)
        self.dt = None


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: dt.py PROGRAM")
    session = Session(sys.argv[1], destructive=None)
    try:
        for found in session.records():
            print(json.dumps(found, default=bytes.hex), flush=True)
    except KeyboardInterrupt:
        pass
    for found in session.aggregations():
        print(json.dumps(found, default=bytes.hex))
    session.close()

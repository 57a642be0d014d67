# SPDX-License-Identifier: GPL-2.0-or-later
# Types of programs, in CTF, BTF and DWARF: arguments, members through pointers into the process,
# what functions return, types by name; the same script for all, and the same output. And what
# cannot be had is said.
# @@needs: cmd:readelf
# @@status: 1
cat >t.d <<'D'
pid$target:a.out:work:entry
{
	printf("%d %s %s %d %s\n", args[0]->id, args[0]->name, stringof(args[0]->tag),
	    args[0]->next->at.y, args[2]);
	printf("%s %s %c %d %d\n", args[0]->names[1], args[0]->next->next == NULL ? "last" : "more",
	    args[0]->next->tag[3],
	    args[0]->flags, args[0]->next->kind);
	print(*args[0]->next);
	print(args[0]->next->color);
	print(args[0]->at);
	trace(args[0]->tag);
	printf("\n");
	print(args[0]->names[0] == "north");
	self->item = args[0];
}

/* What comes from such a pointer stays one: in variables, by & and by casts; "pid`" names types. */
pid$target:a.out:inner:entry
/self->item/
{
	this->p = &self->item->next->at;
	printf("inner %d %d %s", args[2], this->p->x, ((struct pid`item *)arg0)->tag);
	this->q = (pid`item_t *)arg0;
	printf(" %s %s", this->q->next->name, stringof(&this->q->tag[1]));
	this->copy = (pid`a.out`struct item *)copyin(arg0, sizeof(pid`struct item));
	printf(" %s %s %d %d\n", this->copy->tag, this->copy->name, this->copy->id, pid`GREEN);
	@[stringof(args[0]->next->name), args[0]->at.x] = sum(args[2]);
}
pid$target::inner:return { printf("returned %d %s\n", args[1]->id, args[1]->next->tag); }

pid$target:a.out:wide:entry
{
	printf("wide %d %d %u %d %d %d\n", args[0], args[2], args[3], args[4], args[7], args[8]);
}
pid$target:a.out:wide:return { printf("%d\n", args[1]); }
/* A structure that is returned takes the place of the first argument. */
pid$target:a.out:made:entry { printf("made %d %d\n", args[0], args[1]); }
D
says() { # WHAT'S WRONG
	$DTRACE -e -n "$1" -c $p 2>&1 |
		sed 's/.*in action list: //; s/pid[0-9][0-9]*:[a-z_]*/pidN:X/
			s/work:'$second' /work:SECOND /; s/of process [0-9]*/of process N/'
}
may_have() { # of libc's types debug packages may tell
	sed 's/: its file has no type data.*//'
}
second=1 # where the second instruction is
[ "$(uname -m)" != aarch64 ] || second=4
for kind in ctf:.ctf btf:.BTF dwarf:.debug_info; do
	p=typed_${kind%:*}
	path=$(command -v $p)
	if ! readelf -SW "$path" | grep -qF "${kind#*:} "; then
		echo "the compiler that built $p makes no ${kind#*:}"
		exit 77
	fi
	echo "== ${kind%:*}"
	$DTRACE -q -s t.d -c $p 2>/dev/null | sed 's/0x[0-9a-f]\{8,\}/ADDRESS/g'
	$DTRACE -ln 'pid$target:a.out:wide:entry,pid$target:a.out:wide:return' -v -c $p \
		2>/dev/null | grep 'args\[' | sed 's/  (.*//'
	says 'pid$target:a.out:work:entry { trace(args[1].x); }'
	says 'pid$target:a.out:wide:entry { trace(args[1]); }'
	says 'pid$target:a.out:made:return { trace(args[1]); }'
	says 'pid$target:a.out:work:'$second' { trace(args[0]); }'
	says 'pid$target:a.out:work:entry { trace(args[0]->wrong); }'
	says 'pid$target:a.out:work:entry { trace(args[0]->none->x); }'
	says 'pid$target:a.out:work:entry { trace(((pid`struct wrong *)arg0)->x); }'
	says 'pid$target:a.out:work:entry { trace(((pid`libc`struct item *)arg0)->id); }' | may_have
	says 'pid$target:a.out:work:entry, pid$target:a.out:wide:entry { trace(args[0]); }'
	says 'BEGIN { trace(pid`WRONG); }'
done
# BTF and DWARF have the names of arguments, too.
$DTRACE -qn 'pid$target:a.out:inner:entry { printf("%d %s\n", args->n, args->i->tag); }' \
	-c typed_btf 2>/dev/null
$DTRACE -Zqn 'pid$target:a.out:inner:entry { printf("%d %s\n", args->n, args->i->tag); }' \
	-c typed_btf 2>/dev/null
$DTRACE -qn 'pid$target:a.out:inner:entry { printf("%d %s\n", args->n, args->i->tag); }' \
	-c typed_dwarf 2>/dev/null
# retval is args[1], where that has a type.
$DTRACE -qn 'pid$target:a.out:inner:return { printf("%d %s\n", retval->id, retval->next->tag); }' \
	-c typed_btf 2>/dev/null
p=typed
says 'pid$target:a.out:work:entry { trace(args[0]); }'
says 'pid$target:a.out:work:entry { trace(sizeof(pid`struct item)); }' | may_have
p=
$DTRACE -e -n 'BEGIN { trace(sizeof(pid`struct item)); }' 2>&1 | sed 's/.*in action list: //'

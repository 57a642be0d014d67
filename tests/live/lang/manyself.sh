# SPDX-License-Identifier: GPL-2.0-or-later
# Thread variables in many clauses: their words are read and written by functions. Each size keeps
# its sign and its bounds, what was not set is 0, and strings and structs beside them are the same
# thread's.
# @@once:
clauses() { # HOW MANY
	echo 'self char c; self unsigned char uc; self short s; self uint32_t u; self int64_t l;
	struct pair { int a; int64_t b; }; self struct pair p; self string t; self int *none;'
	for i in $(seq "$1"); do
		echo "syscall::getppid:entry /pid == \$target && self->step == $i - 1/ {
			self->c -= 3; self->uc += 100; self->s = -$i * 1000; self->u--;
			self->l = self->l * 2 + 1; self->i += $i; self->step++;
			self->old = self->n++; self->odd = $i & 1 ? self->i : 0;
			$i % 9 == 0 ? self->ninth = $i : 0;
			@new[\"not set\"] = sum(self->none == 0 && !self->unset);
			${2:-} }"
	done
	printf '%s\n' "syscall::getppid:entry /self->step == $1/ {
		printf(\"%d %d %d %u %d %d %d %d %d %d\n\", self->c, self->uc, self->s, self->u,
			self->l, self->i, self->old, self->n, self->odd, self->ninth);
		${3:-} printa(@new); }"
}
same() { # NAME: with functions, and by pointers to an element of a hash
	$DTRACE -qs "$1.d" -c 'calls -n 1' >"$1.out"
	$DTRACE -x nofeat=task_storage -qs "$1.d" -c 'calls -n 1' >"$1.hash"
	cmp "$1.out" "$1.hash"
	cat "$1.out"
}
clauses 12 >few.d
clauses 41 >many.d
clauses 60 'self->t = strjoin(self->step == 1 ? "" : self->t, "x"); self->p.b += self->l;' \
	'printf("%s %d %d\n", self->t, self->p.a, self->p.b);' >mixed.d
same few
same many
same mixed
case $($DTRACE -Vv | grep '^task_storage ') in
*yes*)
	$DTRACE -S -e -s many.d 2>&1 | grep -o 'call dt_self.*' | sort -u >calls
	printf 'call dt_self_%s\n' get1 get2 get4 get8 set1 set2 set4 set8 | cmp - calls
	;;
esac

# SPDX-License-Identifier: GPL-2.0-or-later
# A thread's variables in a program that is too large for registers: clauses look them up for
# themselves, before the thread has any too.
# @@once:
calls=$(command -v calls)
{
	cat <<'D'
#pragma D option quiet
syscall::getppid:entry /pid == $target && !self->begun/ { @["unset"] = sum(self->n0);
	self->zero = 0; self->text = NULL; @["null"] = sum(self->text == NULL); self->pair.a = 0; }
syscall::getppid:entry /pid == $target/ { self->n0 = 1; }
D
	for i in $(seq 80); do
		j=$((i - 1))
		echo "syscall::getppid:entry /pid == \$target && self->n$j == $i/ {
			self->n$i = self->n$j + 1; self->odd = $i % 2 ? self->n$i : self->odd;
			self->text = strjoin(execname, \"$i\"); @n[$i, execname] = sum(self->n$i);
			self->pair.b = $i; @q[$((i % 9))] = quantize(self->n$j); }"
	done
	cat <<'D'
syscall::getppid:entry /pid == $target && self->n80 == 81/ { @["odd"] = sum(self->odd);
	@["last"] = sum(self->n80); @["text"] = sum(self->text == strjoin(execname, "80"));
	@["pair"] = sum(self->pair.b); self->n80 = 0; self->text = NULL; self->begun = 1; }
syscall::getppid:entry /pid == $target && self->text == NULL && !self->n80/ {
	@["again"] = sum(1); }
END { printa("%s %@d\n", @); printa("n %d %@d\n", @n); trunc(@q); }
D
} >body.d
{ echo 'struct pair { int a, b; }; self struct pair pair;'; cat body.d; } >large.d
$DTRACE -e -x dump=bpf -s large.d -c "$calls -n 1" | grep -c 'with variables in memory'
$DTRACE -s large.d -c "$calls -n 1" | sort >out
# getppid is called a number of times in all: every sum is a multiple of it.
times=$(sed -n 's/^again //p' out)
awk -v times="$times" '{ $NF = times > 0 && $NF % times == 0 ? $NF / times : $NF " of " times }
	$1 == "n" && $NF == $2 + 1 { n++; next } { print } END { print n " steps" }' out

# SPDX-License-Identifier: GPL-2.0-or-later
# Under load on two CPUs: what is committed is printed, all of it and in order; what is discarded
# is not.
# @@stderr: ^dtrace: [0-9]+ failed speculations \(no speculative buffer
fail() { echo "$*" >&2; exit 1; }
[ "$(nproc)" -ge 2 ] || { echo "one CPU only"; exit 77; }
n=${SLOW:+2000}
n=${n:-5000}

# Each thread has its own speculation for each call, of two records, and commits every other.
cat >each.d <<'D'
#pragma D option quiet
#pragma D option nspec=2
#pragma D option bufsize=32m
syscall::getppid:entry /pid == $target/ { self->s = speculation(); self->n++;
	@[self->s ? "made" : "failed"] = count(); }
syscall::getppid:entry /self->s/ { speculate(self->s); printf("a %d %d\n", tid, self->n); }
syscall::getppid:return /self->s/ { speculate(self->s); printf("b %d %d\n", tid, self->n); }
syscall::getppid:return /self->s && self->n & 1/ { commit(self->s); self->s = 0; }
syscall::getppid:return /self->s/ { discard(self->s); self->s = 0; }
D
$DTRACE -s each.d -c "calls -n $n -t 2" >out 2>err
[ ! -s err ] || fail "$(cat err)"
awk -v n="$n" '
	$1 == "made" { made = $2 }
	$1 == "a" { if ($3 != last[$2] + (last[$2] ? 2 : 1)) bad = bad "; order: " $0;
		last[$2] = $3; a++; open = $2 " " $3 }
	$1 == "b" { if (open != $2 " " $3) bad = bad "; not together: " $0; b++ }
	END { if (bad || made != 2 * n || a != n ||
		b != n) print "made " made ", a " a ", b " b bad }' out >bad
[ ! -s bad ] || fail "each: $(head -c 500 bad)"

# One CPU speculates into what the other one ends and begins again. x counts the records that found
# it active.
cat >race.d <<'D'
#pragma D option quiet
#pragma D option bufsize=32m
int sp, x, first;
BEGIN { first = -1; }
syscall::getppid:entry /pid == $target && first == -1/ { first = tid; }
syscall::getppid:entry /pid == $target && tid == first/ { speculate(sp); x++; printf("r %d\n", x); }
syscall::getppid:return /pid == $target && tid != first && first > 0/ { END_IT(sp);
	sp = 0; sp = speculation(); }
END { END_IT(sp); }
END { printf("x %d\n", x); }
D
sed 's/END_IT/commit/' race.d >commit.d
$DTRACE -s commit.d -c "calls -n $n -t 2" >out 2>err
[ ! -s err ] || fail "$(cat err)"
awk '$1 == "r" { if ($2 != ++n) bad = bad $0 }
	$1 == "x" && ($2 != n || bad) { print n " of " $2 " " bad }' out >bad
[ ! -s bad ] || fail "race of commits: $(head -c 500 bad)"
sed 's/END_IT/discard/' race.d >discard.d
$DTRACE -s discard.d -c "calls -n $n -t 2" >out 2>err
grep '^r' out && fail "discarded and printed"
grep -q "^x " out

# Both CPUs end the same one.
cat >both.d <<'D'
#pragma D option quiet
#pragma D option bufsize=32m
int sp;
BEGIN { sp = speculation(); }
syscall::getppid:entry /pid == $target/ { speculate(sp); printf("r\n"); }
syscall::getppid:return /pid == $target/ { commit(sp); commit(sp); discard(sp); }
syscall::getppid:return /pid == $target/ { this->n = speculation(); sp = this->n ? this->n : sp;
	@[this->n ? "made" : "not"] = count(); }
D
$DTRACE -s both.d -c "calls -n $n -t 2" >out 2>err
[ -z "$(grep -v 'failed speculation' err)" ] || fail "$(cat err)"
failed=$(awk '/failed speculation/ { n += $2 } END { print n + 0 }' err)
[ "$(awk '$1 == "not" { n = $2 }
	END { print n + 0 }' out)" = "$failed" ] || fail "both: $failed failed $(tail -3 out)"

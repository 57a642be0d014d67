# SPDX-License-Identifier: GPL-2.0-or-later
# A timer that interrupts programs speculates and commits as they do, on two CPUs: all of it is
# printed.
fail() { echo "$*" >&2; exit 1; }
n=${SLOW:+2000}
n=${n:-20000}

cat >timer.d <<'D'
#pragma D option quiet
#pragma D option nspec=16
#pragma D option bufsize=32m
syscall::getppid:entry, profile-997 /pid == $target/ { this->s = speculation();
	@[probeprov, this->s ? "made" : "failed"] = count(); }
syscall::getppid:entry, profile-997 /this->s/ { speculate(this->s);
	printf("%s a %d\n", probeprov, this->s); }
syscall::getppid:entry, profile-997 /this->s/ { commit(this->s); }
END { printa("%s %s %@d\n", @); }
D
$DTRACE -s timer.d -c "calls -n $n -t 2" >out 2>err
[ ! -s err ] || fail "$(cat err)"
awk -v n="$n" '
	$2 == "a" { a[$1]++ }
	$2 == "made" { made[$1] = $3 }
	$2 == "failed" { bad = bad "; " $0 }
	END {
		if (bad || a["profile"] != made["profile"] || a["syscall"] != made["syscall"] ||
		    made["syscall"] != 2 * n || !a["profile"])
			print "syscall " a["syscall"] " of " made["syscall"] \
			    ", profile " a["profile"] " of " made["profile"] bad
	}' out >bad
[ ! -s bad ] || fail "$(head -c 500 bad)"

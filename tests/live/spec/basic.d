/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Identifiers, order, default actions, faults, what was never active, and a speculation that END
 * commits.
 */
/* @@err: */
#pragma D option nspec=3

int x, y, z;

BEGIN
{
	self->a = speculation();
	self->b = speculation();
	self->c = speculation();
	printf("%d %d %d %d", self->a, self->b, self->c, speculation());
}

BEGIN { speculate(self->a); printf("one"); }
BEGIN { speculate(self->b); trace("two"); }
BEGIN { speculate(self->a); x++; trace("three"); }
BEGIN { speculate(0); x++; printf("no"); }
BEGIN { speculate(4); x++; printf("no"); }
BEGIN { speculate(-1); x++; printf("no"); }
BEGIN { speculate(1 << 30); x++; }
BEGIN { speculate(self->c); }
BEGIN { speculate(self->a); printf("lost with the fault: %d", 1 / y); }
BEGIN { commit(self->a); discard(self->b); commit(self->c); commit(0); discard(self->c);
	commit(self->a); z = 1 / y; x++; }
BEGIN { speculate(self->a); printf("no"); }
BEGIN { self->a = speculation(); speculate(self->a); printf("%d again", self->a); }
BEGIN { if (x == 1) { discard(2); speculate(self->a); } else speculate(0);
	if (x == 1) printf("x is 1"); }
BEGIN { speculate(self->a); commit(self->a); }

END { commit(1); }
END { printf("x is %d", x); }
BEGIN { self->b = speculation(); speculate(1); printf("committed by END"); }
BEGIN { speculate(speculation()); printf("never"); }
BEGIN { exit(0); }

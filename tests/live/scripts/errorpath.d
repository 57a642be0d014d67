/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The path to a result: a speculation from the entry on, which the value returned commits. */
/* @@trigger: victim 6 */
#pragma D option quiet
#pragma D option nspec=4

pid$target:victim:seven:entry
{
	self->spec = speculation();
	self->depth = 1;
}

pid$target:victim:seven:entry
/self->spec/
{
	speculate(self->spec);
	printf("%*s-> %s(%d, %d)\n", self->depth * 2, "", probefunc, arg0, arg1);
}

pid$target:victim:seven:return
/self->spec/
{
	speculate(self->spec);
	printf("%*s<- %s = %d\n", self->depth * 2, "", probefunc, arg1);
}

pid$target:victim:seven:return
/self->spec && arg1 % 2/
{
	commit(self->spec);
	kept++;
}

pid$target:victim:seven:return
/self->spec && !(arg1 % 2)/
{
	discard(self->spec);
	dropped++;
}

pid$target:victim:seven:return
{
	self->spec = 0;
	self->depth = 0;
}

END { printf("%d kept, %d dropped\n", kept, dropped); }

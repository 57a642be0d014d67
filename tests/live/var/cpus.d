/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU's set, chip and locality group, as words and as keys; the node is one that the machine has.
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", pset, chip, lgrp >= 0 && lgrp < 1024);
	printf("%d %d\n", pset == curcpu->cpu_pset, chip == curcpu->cpu_chip);
	@[pset, chip, lgrp >= 0] = count();
	exit(0);
}

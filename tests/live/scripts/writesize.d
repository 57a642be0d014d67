/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributions of sizes, by program: quantize() and lquantize() with exact pictures. */
/* @@trigger: sh -c 'printf a >f; printf abc >f; printf 8-letter >f; echo eleven-byte >f; echo ab >f' */
#pragma D option quiet

BEGIN { big = 0; }

syscall::write:entry
/progenyof($target) && execname == "sh"/
{
	this->size = arg2;
	@size[execname] = quantize(this->size);
	@line["bytes"] = lquantize(this->size, 2, 10, 4);
	@total["bytes"] = sum(this->size);
	@number["writes"] = count();
	big = this->size > big ? this->size : big;
}

END
{
	printf("%-16s\n", "PROCESS");
	printa("%-16s %@d\n", @size);
	printa(@line);
	printa("%s %@d\n", @total);
	printa("%s %@d\n", @number);
	printf("largest %d\n", big);
}

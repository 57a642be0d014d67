/*
 * More aggregations than a program can name maps: their maps are in arrays of maps, of two sizes
 * here.
 *
 * @test
 * fire app:::tick arg0=1
 * fire app:::tick arg0=1
 * output
 * 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32 34 36 38 40 42 44 46 48 50 52 54 56 58
 */
#pragma D option quiet

app:::tick
{
	@a0["a"] = sum(0);
	@a1[arg0] = sum(1);
	@a2["a"] = sum(2);
	@a3[arg0] = sum(3);
	@a4["a"] = sum(4);
	@a5[arg0] = sum(5);
	@a6["a"] = sum(6);
	@a7[arg0] = sum(7);
	@a8["a"] = sum(8);
	@a9[arg0] = sum(9);
	@a10["a"] = sum(10);
	@a11[arg0] = sum(11);
	@a12["a"] = sum(12);
	@a13[arg0] = sum(13);
	@a14["a"] = sum(14);
	@a15[arg0] = sum(15);
	@a16["a"] = sum(16);
	@a17[arg0] = sum(17);
	@a18["a"] = sum(18);
	@a19[arg0] = sum(19);
	@a20["a"] = sum(20);
	@a21[arg0] = sum(21);
	@a22["a"] = sum(22);
	@a23[arg0] = sum(23);
	@a24["a"] = sum(24);
	@a25[arg0] = sum(25);
	@a26["a"] = sum(26);
	@a27[arg0] = sum(27);
	@a28["a"] = sum(28);
	@a29[arg0] = sum(29);
}

END
{
	printa("%@d", @a0);
	printa(" %@d", @a1);
	printa(" %@d", @a2);
	printa(" %@d", @a3);
	printa(" %@d", @a4);
	printa(" %@d", @a5);
	printa(" %@d", @a6);
	printa(" %@d", @a7);
	printa(" %@d", @a8);
	printa(" %@d", @a9);
	printa(" %@d", @a10);
	printa(" %@d", @a11);
	printa(" %@d", @a12);
	printa(" %@d", @a13);
	printa(" %@d", @a14);
	printa(" %@d", @a15);
	printa(" %@d", @a16);
	printa(" %@d", @a17);
	printa(" %@d", @a18);
	printa(" %@d", @a19);
	printa(" %@d", @a20);
	printa(" %@d", @a21);
	printa(" %@d", @a22);
	printa(" %@d", @a23);
	printa(" %@d", @a24);
	printa(" %@d", @a25);
	printa(" %@d", @a26);
	printa(" %@d", @a27);
	printa(" %@d", @a28);
	printa(" %@d", @a29);
	printf("\n");
}

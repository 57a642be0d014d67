/*
 * A script that does not do what its table says: the first line that differs is reported.
 *
 * @test
 * fire app:::tick arg0=1
 * fire app:::tick arg0=2
 * output
 * 1
 * 3
 */
#pragma D option quiet

app:::tick { printf("%d\n", arg0); }

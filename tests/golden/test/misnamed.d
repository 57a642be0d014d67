/*
 * A value whose name is misspelt: its name is wrong, not its form.
 *
 * @test
 * fire app:::tick afer=20us
 */
#pragma D option quiet

app:::tick { printf("x\n"); }

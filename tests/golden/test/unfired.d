/*
 * A probe that no clause is for is an error of the table.
 *
 * @test
 * fire app:::tick
 * fire app:::tock
 */
#pragma D option quiet

app:::tick { printf("x\n"); }

/*
 * A line of the table that is not well-formed.
 *
 * @test
 * fire app:::tick arg0="a \"quoted\" text\twith\\ escapes" arg1=0x10
 * fire app:::tick arg1
 */
#pragma D option quiet

app:::tick { printf("x\n"); }

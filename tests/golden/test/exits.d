/*
 * exit() ends the test, as it ends tracing; globs and descriptions without a provider match what
 * the table fires.
 *
 * @test
 * fire profile:::tick-1s
 * fire profile:::tick-1s after=1s
 * fire profile:::tick-1s after=1s
 * fire profile:::tick-1s after=1s
 * output
 * 0 s
 * 1 s
 * 2 s
 * bye after 2 s
 */
#pragma D option quiet

BEGIN { start = timestamp; seconds = 0; }
tick-1s { seconds = (timestamp - start) / 1000000000; printf("%d s\n", seconds); }
t*:::, tick-1* /seconds == 2/ { exit(0); }
END { printf("bye after %d s\n", seconds); }

/*
 * Speculations are printed when they are committed; a key that is assigned zero is gone.
 *
 * @test
 * fire app:::begin tid=1
 * fire app:::step tid=1 arg0="one"
 * fire app:::begin tid=2
 * fire app:::step tid=2 arg0="two"
 * fire app:::fail tid=2
 * fire app:::done tid=1
 * output
 * tid 2 step two
 * 2 firings, 1 left
 */
#pragma D option quiet
#pragma D option nspec=4

app:::begin { self->spec = speculation(); open[tid] = 1; }
app:::step { speculate(self->spec); printf("tid %d step %s\n", tid, copyinstr(args[0])); }
app:::fail { commit(self->spec); self->spec = 0; }
app:::done { discard(self->spec); self->spec = 0; open[tid] = 0; }
app:::done, app:::fail { @ends = count(); left += open[tid]; }
END { printa("%@d firings, ", @ends); printf("%d left\n", left); }

/* Without quiet each record ends its line, also where its text ended a line already; and the output
 * ends with an empty line. */
/* @@err: */
BEGIN { printf("text\n"); }
BEGIN { printf("text"); }
BEGIN { @ = count(); printa("%@d\n", @); }
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); printf("speculated\n"); }
BEGIN { commit(self->s); }
BEGIN { exit(0); }

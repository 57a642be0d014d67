/* @@kernel: */
/* Names of types that are spelt nearly like one. */
strng s;
tsk_t p;
nothing_of_the_kind n;

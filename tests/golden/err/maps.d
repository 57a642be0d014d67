/* More arrays at one probe than a program may have maps. */
#define TEN(x) x##0[pid] = 1; x##1[pid] = 1; x##2[pid] = 1; x##3[pid] = 1; x##4[pid] = 1; x##5[pid] = 1; x##6[pid] = 1; x##7[pid] = 1; x##8[pid] = 1; x##9[pid] = 1;
/* @@opts: -C */
BEGIN { TEN(a) TEN(b) TEN(c) TEN(d) TEN(e) TEN(f) TEN(g) }

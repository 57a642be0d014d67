/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Subscripts of uregs[]. These every machine has: program counter, stack and frame pointer, what
 * is returned, status. */

inline int R_PC = 100;
inline int R_SP = 101;
inline int R_FP = 102;
inline int R_R0 = 103;
inline int R_PS = 104;
inline int R_R1 = 105; /* the second register of a result */

/* x86-64 */
inline int R_R15 = 0;
inline int R_R14 = 1;
inline int R_R13 = 2;
inline int R_R12 = 3;
inline int R_RBP = 4;
inline int R_RBX = 5;
inline int R_R11 = 6;
inline int R_R10 = 7;
inline int R_R9 = 8;
inline int R_R8 = 9;
inline int R_RAX = 10;
inline int R_RCX = 11;
inline int R_RDX = 12;
inline int R_RSI = 13;
inline int R_RDI = 14;
inline int R_RIP = 16;
inline int R_CS = 17;
inline int R_RFL = 18;
inline int R_RSP = 19;
inline int R_SS = 20;

/* The same by the names that 32-bit programs have on other systems; uregs[] has the whole
 * register. */
inline int R_EAX = 10;
inline int R_EBX = 5;
inline int R_ECX = 11;
inline int R_EDX = 12;
inline int R_ESI = 13;
inline int R_EDI = 14;
inline int R_EBP = 4;
inline int R_ESP = 19;
inline int R_UESP = 19;
inline int R_EIP = 16;
inline int R_EFL = 18;

/* In the structure of the thread. */
inline int R_DS = 50;
inline int R_ES = 51;
inline int R_FS = 52;
inline int R_GS = 53;
inline int R_FSBASE = 54;
inline int R_GSBASE = 55;
inline int R_ERR = 56;
inline int R_TRAPNO = 57;

/* aarch64 */
inline int R_X0 = 200;
inline int R_X1 = 201;
inline int R_X2 = 202;
inline int R_X3 = 203;
inline int R_X4 = 204;
inline int R_X5 = 205;
inline int R_X6 = 206;
inline int R_X7 = 207;
inline int R_X8 = 208;
inline int R_X9 = 209;
inline int R_X10 = 210;
inline int R_X11 = 211;
inline int R_X12 = 212;
inline int R_X13 = 213;
inline int R_X14 = 214;
inline int R_X15 = 215;
inline int R_X16 = 216;
inline int R_X17 = 217;
inline int R_X18 = 218;
inline int R_X19 = 219;
inline int R_X20 = 220;
inline int R_X21 = 221;
inline int R_X22 = 222;
inline int R_X23 = 223;
inline int R_X24 = 224;
inline int R_X25 = 225;
inline int R_X26 = 226;
inline int R_X27 = 227;
inline int R_X28 = 228;
inline int R_X29 = 229;
inline int R_X30 = 230;

/* riscv64 */
inline int R_RA = 301;
inline int R_GP = 303;
inline int R_TP = 304;
inline int R_T0 = 305;
inline int R_T1 = 306;
inline int R_T2 = 307;
inline int R_S0 = 308;
inline int R_S1 = 309;
inline int R_A0 = 310;
inline int R_A1 = 311;
inline int R_A2 = 312;
inline int R_A3 = 313;
inline int R_A4 = 314;
inline int R_A5 = 315;
inline int R_A6 = 316;
inline int R_A7 = 317;
inline int R_S2 = 318;
inline int R_S3 = 319;
inline int R_S4 = 320;
inline int R_S5 = 321;
inline int R_S6 = 322;
inline int R_S7 = 323;
inline int R_S8 = 324;
inline int R_S9 = 325;
inline int R_S10 = 326;
inline int R_S11 = 327;
inline int R_T3 = 328;
inline int R_T4 = 329;
inline int R_T5 = 330;
inline int R_T6 = 331;

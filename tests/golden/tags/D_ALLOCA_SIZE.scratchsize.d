/* A constant size that scratchsize, set by the program, forbids. */
#pragma D option scratchsize=64
BEGIN { alloca(64); copyin(0, 65); }

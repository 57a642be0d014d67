BEGIN { trace(regs[100]); }

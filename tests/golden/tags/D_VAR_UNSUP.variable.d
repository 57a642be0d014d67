BEGIN { trace(regs); }

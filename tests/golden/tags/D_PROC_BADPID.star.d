pid*::main:entry { trace(1); }

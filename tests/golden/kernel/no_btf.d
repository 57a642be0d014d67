/* @@opts: -x btfpath=none */
BEGIN { trace(curthread->comm); }

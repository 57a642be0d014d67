pid99999999::main:entry { trace(1); }

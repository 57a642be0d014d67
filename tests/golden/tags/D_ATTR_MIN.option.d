/* @@opts: -x amin=Evolving/Evolving/Common */
syscall::getppid:entry { trace(arg0); }

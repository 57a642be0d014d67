/* @@kernel: */
/* @@opts: -x amin=Evolving/Evolving/Common */
/*
 * The library's names are stable whatever they are made from, and so is what an inline was declared
 * to be.
 */
#pragma D attributes Evolving/Evolving/Common mine
inline int mine = curthread->pid;
BEGIN { trace(pid); trace(mine); trace(exists(curthread->comm)); }
BEGIN { trace(curthread->pid); }

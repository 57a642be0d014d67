/* @@kernel: */
/* @@opts: -x amin=Stable/Private/Common */
BEGIN { trace(curthread->pid); }
BEGIN { trace(`jiffies); }

/* An interpreter is named after a licence, and once more. */
#!/usr/sbin/dtrace -qs
BEGIN { trace(1); }
#!/usr/sbin/dtrace -s

#pragma D option quiet
syscall::re$123456789012345678901:entry { trace($4294967296); }

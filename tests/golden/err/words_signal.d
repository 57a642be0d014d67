self:signal:SIGUSR1 { exit(0); }

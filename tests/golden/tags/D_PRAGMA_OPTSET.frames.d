#pragma D option ustackframes=128
BEGIN { ustack(); }

#pragma D option quiet=x

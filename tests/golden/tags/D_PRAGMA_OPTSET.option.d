#pragma D option nosuch

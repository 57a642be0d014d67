#pragma D nosuch

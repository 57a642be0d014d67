/* Keywords of D where C has a name. */
struct driver { int probe; };
BEGIN { exit(0); }
typedef int *translator;
BEGIN { exit(0); }

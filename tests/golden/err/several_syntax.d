/* As several_declarations.d, of syntax errors in declarations and pragmas. */
#pragma D option nosuchoption=3
struct lost { int x; int 3y; };
typedef struct { int a b; } lost_t;
lost_t *variable;
inline int three = 1 + ;
enum numbers { ONE,
	TWO
	THREE };
provider server { probe start(int a) probe stop(); };
int global
BEGIN { trace(three); trace(TWO); trace(global); }
struct other { int a; }
BEGIN { trace(((struct lost *)arg0)->x); trace((lost_t)arg0); }
BEGIN { trace(variable->a); trace(nosuch1); printf("%d" 3); }
struct more { int m; } };
translator struct more < int n > { m = n
	m = 2; };
self int number;
self->number = 3;
tick-1s { exit(0) }}
tick-2s { trace(nosuch2); }
tick-3s { printf("%d", $9);
printf("%#x %d", 1, 2); }

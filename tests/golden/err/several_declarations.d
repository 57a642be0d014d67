/* Errors after one in a declaration are reported, but none that it causes. */
struct lost { int x; nosuch_t y; };
typedef struct lost lost_t;
lost_t *variable;
inline string text = nosuch1(3);
inline string copy = text;
typedef int good_t;
struct pointers { struct lost *p; good_t n; };
enum numbers { ONE = nosuch2, TWO };
int array[nosuch3];
self int assoc[lost_t];
struct out { int a; };
translator struct out < int n > { nosuch4 = n; };
provider server { probe start(nosuch_t *p) : (int n); };
BEGIN { trace(variable->x); trace(array[1]); trace(TWO); }
BEGIN { self->p = (lost_t *)arg0; self->n = self->p->x; trace(text); trace(copy); trace(nosuch5); }
tick-1s { trace(self->n + self->p->x); trace(((struct pointers *)arg0)->n + nosuch6); }
tick-2s /((struct pointers *)arg0)->p->x/ { trace(nosuch7); trace(xlate <struct out>(3).a); }
END { trace("a" + 5); }

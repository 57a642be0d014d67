/* All errors of inlines and translators that nothing uses are reported, each only once. */
struct out { int a, b; };
inline int one = nosuch1 + 1;
inline int good[int n] = n * 2;
inline int two = one + 2;
inline int three[int n] = nosuch2(n);
translator struct out <int n> { a = nosuch3; b = n + nosuch4; };
translator struct out <char c> { a = three[c]; b = good[two]; };
inline char *last = 5;
BEGIN { exit(0); }

#pragma D attributes Evolving/Evolving/Common provider p args
#pragma D binding "1.0" x
#pragma D depends_on library x.d
inline int f[int a, string b] = g[a] + strlen(b) + ENOENT;
inline int g[int a] = a * f[a, "x"];
struct s { int a; struct t { int b:3; } t; char c[4]; union { int u; }; string n; };
enum { A, B = 5, };
translator struct s < struct s *p > { a = p->a; t = p->t; c = "long"; u = B; };
translator struct s < int i > { a = xlate <struct s>(i + 1).a; n = probename; };
provider p { probe a__b(int x, struct s *y) : (struct s *y, int x); };
self struct s z[int];
BEGIN { this->v = xlate <struct s *>((struct s *)alloca(8)); this->w = *this->v;
	z = xlate <struct s>(3).a; f[1, "a"]; SIGINT + xlate <struct s>(1).n; }

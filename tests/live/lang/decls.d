/* Declarations: every kind of type, in every scope; sizes and offsets are the C compiler's. */
#pragma D option quiet
enum color { RED, GREEN = 5, BLUE, };
enum { ANON = 7, };
typedef enum { X1, X2 } x_t;
struct fwd;
typedef struct fwd *fwdp_t;
struct fwd { int a; fwdp_t next; };
struct s { char c; int i:3; unsigned j:5; unsigned :0; long l; union { int u; char bytes[4]; };
	struct { short x, y; } in[2][3]; enum color col; uint8_t pad; };
union un { uint64_t q; uint32_t w[2]; struct { uint8_t b0, b1; }; };
typedef int (*fn_t)(int, char *);
int proto(int, char *);
extern int ext;
static int sta;
const volatile int cv;
static const char *cs;
struct s g;
self struct s t;
this struct s l;
int garr[4];
int gmat[2][3];
self int tarr[4];
this int larr[4];
this char lbuf[16];
union un gu;
struct s gs[2];
string gstr;
self string tstr;
this string lstr;
struct s *gp;
x_t gx;
enum color gc;
int as[int, string];
struct s ass[int];
unsigned long long ull;
long double ld;
_Bool bo;
fn_t f;
struct { int a; int b; } anon;
BEGIN {
 g.c = 'a'; g.i = 3; g.j = 17; g.l = -5; g.u = 0x41424344; g.in[1][2].y = 9; g.col = BLUE; 
 self->t.l = 44; self->t.in[0][1].x = 3; self->t.i = -2;
 this->l.l = 45; this->l.j = 31; this->l.in[1][1].x = 8;
 garr[2] = 5; gmat[1][2] = 6; self->tarr[3] = 7; this->larr[1] = 8;
 this->lbuf[0] = 'x'; this->lbuf[1]='y';
 gu.q = 0x1122334455667788; gs[1].l = 99; gs[0].in[1][0].x = 5;
 gstr = "g"; self->tstr = "t"; this->lstr = "l";
 gp = &g; gx = X2; gc = GREEN; as[1,"a"] = 4; bo = 7; anon.b = 3; ext = 4; sta = 5; cs = "abc";
}
BEGIN {
 printf("%c %d %d %d %x %d %d\n", g.c, g.i, g.j, g.l, g.u, g.in[1][2].y, g.col);
 printf("%d %d %d\n", self->t.l, self->t.in[0][1].x, self->t.i);
 printf("%d %d %d\n", this->l.l, this->l.j, this->l.in[1][1].x);
 printf("%d %d %d %d %s\n", garr[2], gmat[1][2], self->tarr[3], this->larr[1],
     stringof(this->lbuf));
 printf("%x %x %d %d\n", gu.w[0], gu.b1, gs[1].l, gs[0].in[1][0].x);
 printf("%s %s %s\n", gstr, self->tstr, this->lstr);
 printf("%d %c %d %d\n", gp->l, g.bytes[0], gp->in[1][2].y, (*gp).j);
 printf("%d %d %d %d %d %d %d %s\n", gx, gc, as[1,"a"], bo, anon.b, ext, sta, stringof(cs));
 printf("%d %d %d %d\n", sizeof(struct s), offsetof(struct s, l),
     offsetof(struct s, in[1][2].y), sizeof(g.in));
 printf("%d %d %d %d %d\n", sizeof(union un), sizeof(x_t), sizeof(fn_t), sizeof(fwdp_t),
     offsetof(struct fwd, next));
 printf("%d %d %d %d\n", sizeof(gmat), sizeof(gmat[0]), sizeof(ld), sizeof(bo));
 printf("%d %d %d\n", ANON, RED, sizeof(struct fwd));
 exit(0);
}

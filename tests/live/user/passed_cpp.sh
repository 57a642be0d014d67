# SPDX-License-Identifier: GPL-2.0-or-later
# The same for C++: the last argument of each function is 42, after all sorts of others and the
# place of the result, for the compiler as for dtrace, or dtrace says that it does not know.
# @@needs: cmd:g++
# @@status: 1
# @@stderr: ^dtrace: invalid probe specifier
cat >cpp.cc <<'C'
#include <cstddef>
#define NOIPA __attribute__((noinline))
struct P { int x; void go() {} };
struct Function { void (P::*f)(); };
struct Data { int P::*d; };
struct Plain { int a; ~Plain() = default; Plain(const Plain &) = default; Plain() = default; };
struct Moved {
	int a;
	Moved() = default;
	Moved(const Moved &) = delete;
	Moved(Moved &&) = default;
};
struct Stuck { int a; Stuck() : a(1) {} Stuck(const Stuck &) = delete; };
struct Out { int a; Out() : a(1) {} Out(const Out &); };
Out::Out(const Out &) = default;
struct Holds { Out o[2]; };
struct Elsewhere { virtual ~Elsewhere(); Elsewhere(); int q; };
NOIPA int f1(Function s, int n) { return n; }
NOIPA int f2(Data s, int n) { return n; }
NOIPA int f3(void (P::*s)(), int n) { return n; }
NOIPA int f4(int P::*s, int n) { return n; }
NOIPA int f5(std::nullptr_t s, int n) { return n; }
NOIPA int f6(Plain s, int n) { return n; }
NOIPA int f7(Moved s, int n) { return n; }
NOIPA int f8(Out s, int n) { return n; }
NOIPA int f9(Holds s, int n) { return n; }
NOIPA Plain f10(int n) { return Plain(); }
NOIPA Moved f11(int n) { return Moved(); }
NOIPA Stuck f12(int n) { return Stuck(); }
NOIPA Out f13(int n) { return Out(); }
NOIPA int f14(Elsewhere s, int n) { return n; }
NOIPA Elsewhere f15(int n) { return Elsewhere(); }
int main()
{
	f1(Function{&P::go}, 42), f2(Data{&P::x}, 42), f3(&P::go, 42), f4(&P::x, 42);
	f5(nullptr, 42), f6(Plain(), 42), f7(Moved(), 42), f8(Out(), 42);
	f9(Holds(), 42), f10(42), f11(42), f12(42), f13(42), f14(Elsewhere(), 42), f15(42);
}
C
echo 'struct Elsewhere { virtual ~Elsewhere(); Elsewhere(); int q; };
	Elsewhere::~Elsewhere() {}
	Elsewhere::Elsewhere() : q(1) {}' >elsewhere.cc
. "$FIXTURE/passed"
try '_Z3f149Elsewherei _Z3f15i' g++ -std=c++17 -g cpp.cc elsewhere.cc
if command -v clang++ >/dev/null; then
	try '_Z3f149Elsewherei _Z3f15i' clang++ -std=c++17 -g cpp.cc elsewhere.cc
else
	echo 'clang++, 13:'
fi

# SPDX-License-Identifier: GPL-2.0-or-later
# A Rust program as its compiler links it by default (often by lld): names of its data, and stacks.
# @@needs: cmd:rustc
cat >p.rs <<'R'
#[no_mangle] pub static mut RUST_DATA: [i32; 64] = [7; 64];
#[no_mangle] #[inline(never)] pub extern "C" fn rust_probe(d: *const i32) -> i32 {
	unsafe { std::arch::asm!(""); *d }
}
#[inline(never)] fn inner(n: i32) -> i32 {
	unsafe { rust_probe((std::ptr::addr_of!(RUST_DATA) as *const i32).add(2)) + n }
}
#[inline(never)] fn outer(n: i32) -> i32 { inner(n + 1) + 1 }
fn main() { let v = outer(std::env::args().count() as i32); std::process::exit((v == 0) as i32); }
R
rustc -O -o p p.rs
printf '%s\n' 'p`RUST_DATA+0x8' 'p`rust_probe' 'p`p::inner' 'p`p::outer' 'p`p::main' >want
$DTRACE -qn 'pid$target:a.out:rust_probe:entry { printf("%A\n", arg0); ustack(4); }' -c ./p |
	sed 's/^ *//; 2,$s/+0x[0-9a-f]*$//; /^$/d' >got
diff -u want got

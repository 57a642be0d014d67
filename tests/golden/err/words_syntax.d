BEGIN { if pid == 1 { trace(1); } }
BEGIN { @[] = count(); }
BEGIN { trace(“x”); }
BEGIN { trace(‘x’); }
BEGIN { trace(é); }
fn f($a) { trace(1); }
function g(a) { trace(1); }
import "file"; BEGIN { trace(1); }
BEGIN { trace(1);

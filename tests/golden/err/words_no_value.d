/* What D does not write either has no hint. */
BEGIN { @a = count() + 1; }
BEGIN { @a = -count(); }
BEGIN { @a = pid ? count() : sum(1); }
BEGIN { @a["a"] = @b["b"] = count(); }
BEGIN { @a = @b; }
BEGIN { @a = @a + @b; }
BEGIN { @a = @a + count(); }
BEGIN { @a = trace(1); }
BEGIN { @a += count(); }
BEGIN { @a[pid, 1] += sum(arg0); }
BEGIN { @a -= count(); }
BEGIN { @a += @b; }
BEGIN { @a += "x"; }
BEGIN { @a *= 2; }

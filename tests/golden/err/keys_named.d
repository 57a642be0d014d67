BEGIN { @a[stack(2)] = count(); @a[ustack(2)] = count(); }
BEGIN { @b[sym(1)] = count(); @b[mod(1)] = count(); }
BEGIN { @c[umod(1)] = count(); @c[usym(1)] = count(); }
BEGIN { @d[cgroup_path(1)] = count(); @d[sym(1)] = count(); }
int few[2], more[3], *pointer;
BEGIN { @e[few] = count(); @e[more] = count(); }
BEGIN { @f[few] = count(); @f[pointer] = count(); }
BEGIN { @g[few] = count(); @g["few"] = count(); }
BEGIN { x[stack(2)] = 1; x[ustack(2)] = 1; }
BEGIN { y = sym(1); y = mod(1); }
BEGIN { z = usym(1); z = uaddr(1); }
BEGIN { trace(pid ? sym(1) : mod(1)); }

BEGIN { @a[sym(5)] = count(); @b[cgroup_path(5)] = count(); printa(@a, @b); }

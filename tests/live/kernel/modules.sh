# Types, functions and variables of modules, by all ways to name them.
# @@status: 1
[ -e /sys/kernel/btf/overlay ] || { echo "needs type data of the module overlay"; exit 77; }
t() { $DTRACE -q "$@" | grep .; }
t -n 'BEGIN { printf("%d %d %d\n", sizeof(struct overlay`ovl_fs) == sizeof(overlay`struct ovl_fs),
	sizeof(struct ovl_fs) == sizeof(struct overlay`ovl_fs),
	    offsetof(struct ovl_fs, config) > 0);
	this->t = (struct file_system_type *)&overlay`ovl_fs_type;
	printf("%s %s %d\n", this->t->name, stringof(this->t->owner->name),
	    &`ovl_fs_type == &overlay`ovl_fs_type);
	printf("%d\n", overlay`ovl_show_options == &`ovl_show_options);
	printf("%d %d %d\n", exists(sizeof(struct overlay`ovl_fs)),
	    exists(sizeof(struct vmlinux`ovl_fs)), exists(overlay`nosuch));
	exit(0); }'
$DTRACE -en 'BEGIN { trace(&overlay`nosuch); }' 2>&1 |
	sed -n '1s/.*list: //
		s/has no such function, and addresses of variables .*/has no such symbol/
		1p' # where that is all it knows

/* @@opts: -q */
/*
 * A variable that is first assigned NULL has the type of what else is assigned to it, before or
 * after, in this clause or another one, or is an int.
 */
BEGIN { self->task = NULL; self->name = NULL; this->here = NULL; this->here = curthread;
	file["a"] = NULL; only = NULL; }
BEGIN
{
	self->task = curthread;
	self->name = "text";
	file["b"] = "path";
	printf("%d %s %d\n", self->task->pid == tid, self->name, this->here->pid == tid);
	printf("%d %s %u %d\n", file["a"] == NULL, file["b"], only, sizeof(only));
}
BEGIN { self->task = NULL; self->name = NULL; file["b"] = NULL; }
BEGIN /self->task == NULL && self->name == NULL && file["b"] == NULL/ { printf("all NULL\n"); }
BEGIN { round = NULL; round = way; way = round; printf("%d %d\n", round == NULL, way); exit(0); }
/* Arguments of a probe that this clause has not. */
BEGIN { self->parent = NULL; }
proc:::create /self->parent != NULL/ { printf("%s\n", self->parent->pr_fname); }
proc:::create { self->parent = args[0]; }

/* @@opts: -Z */
/*
 * Types of variables that are used before they are assigned, or in a predicate: those of the
 * assignments.
 */
BEGIN /x == 0/ { x = 1; }
BEGIN /!self->seen/ { self->seen = 1; }
BEGIN /!seen[cpu]/ { seen[cpu] = 1; }
BEGIN /self->depth[probefunc, 1] < 3/ { self->depth[probefunc, 1] = 2u; }
BEGIN /this->n < 3/ { this->n = 5; }
/* The actions use what the predicate assigns; and each uses what the other assigns. */
BEGIN /(this->s = start[arg0])/ { trace(this->s); start[arg0] = timestamp; }
BEGIN /(this->q = 3) && !self->name && most < 3/ { trace(this->q); self->name = pid;
	most = this->q; }
/* Assigned by a later clause only, directly or through another one. */
BEGIN /later == 4/ { trace(later); }
BEGIN /string_later == NULL/ { trace(string_later); }
BEGIN { later = 4; string_later = string_last; if (within > 2) within = 1; }
BEGIN { string_last = "abc"; this->circle = that_circle + 1; }
BEGIN /this->circle == 5/ { that_circle = other_circle; other_circle = 7; }
/* Nothing assigns them. */
BEGIN /!never/ {}
BEGIN /-self->never_array[1, "a"] == ~never2 && !never3[pid]/ {}
/* Names of other things are variables as well when the program assigns them. */
BEGIN /cgroup == "a" && trace == 1/ { cgroup = "b"; trace = 1; }
no:such:probe:anywhere /!self->z && z == 0 && !zz[cpu]/ { self->z = pid; z = 1; zz[cpu] = 1; }

/* @@opts: -q */
/* Predicates that use what their own clause, or a later one, is the first to assign. */
BEGIN, BEGIN /x == 0/ { x = 1; printf("x\n"); }
BEGIN /x == 0/ { printf("not reached\n"); }
BEGIN /!self->seen/ { self->seen = 1; printf("seen\n"); }
BEGIN /!self->seen/ { printf("not reached\n"); }
BEGIN /!seen[pid, execname]/ { seen[pid, execname] = 2; }
BEGIN /!seen[pid, execname]/ { printf("not reached\n"); }
BEGIN /this->n < 3/ { this->n = 3; printf("this\n"); }
BEGIN /this->n < 3/ { printf("not reached\n"); }
BEGIN /late == NULL && !later[1]/ { printf("late\n"); }
BEGIN { late = "x"; later[1] = 1; start[1] = 3; }
BEGIN /late != NULL && (this->s = start[1])/ { printf("%s %d\n", late, this->s);
	start[1] = 0; exit(0); }

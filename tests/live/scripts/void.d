/* Actions and aggregations as operands of "?:", of constants, macro arguments and values. */
/* @@args: 1 */
#pragma D option quiet
#pragma D option defaultargs

inline int OPT_time = 1;

BEGIN
{
	n = 2;
	OPT_time ? printf("%-8s ", "TIME") : 1;
	! OPT_time ? printf("no ") : printf("yes ");
	$1 ? printf("given ") : printf("missing ");
	$2 ? printf("given\n") : printf("missing\n");
	n > 1 ? printf("many\n") : printf("few\n");
	n < 1 ? @a["few"] = count() : (@a["many"] = count());
	n > 1 ? @s[n] = sum(n) : 1;
	(n == 2 && OPT_time) ? last = 1 : 1;
	n == 2 ? n += 5 : 1;
	printf("%d %d\n", n, last);
	$$2 == "" ? printf("empty ") : 1;
	$$2 == NULL ? printf("null\n") : 1;
	count_down = $2 ? $2 : 3;
	printf("%d\n", count_down);
	! OPT_time ? printa(@s) : printa("%s %@d\n", @a);
	exit(0);
}

#!/usr/sbin/dtrace -s
/*
 * pgqueries: queries of PostgreSQL with their latency
 *
 * Usage: dtrace -x tool=pgqueries
 *
 * Microseconds; a histogram for each kind of query at the end. Includes servers that start
 * later. Needs a PostgreSQL with static probes.
 *
 * Example:
 *	# dtrace -x tool=pgqueries
 *	    PID      US QUERY
 *	   4711     913 create table t as select generate_series(1, 3) i;
 *	   4711     271 select sum(i) from t;
 *
 *	  select
 *	           value  ------------- Distribution ------------- count
 *	             128 |                                         0
 *	             256 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1
 *	             512 |                                         0
 */
#pragma D option quiet
#pragma D option zdefs
#pragma D option strsize=500

dtrace:::BEGIN
{
	printf("%7s %7s %s\n", "PID", "US", "QUERY");
}

postgresql*:::query-start
{
	self->start = timestamp;
	self->query = copyinstr(arg0);
}

postgresql*:::query-done
/self->start/
{
	this->us = (timestamp - self->start) / 1000;
	printf("%7d %7d %s\n", pid, this->us, self->query);
	@[strtok(self->query, " \t\n(;")] = quantize(this->us);
	self->start = 0;
	self->query = NULL;
}

dtrace:::END
{
	printa("\n  %s%@d", @);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A structure of a program, by its address: what a sleep asks for, and gets, off the CPU. */
/* @@trigger: sleep 0.06 */
#pragma D option quiet

struct wanted {
	int64_t sec;
	int64_t nsec;
};

syscall::clock_nanosleep:entry, syscall::nanosleep:entry
/pid == $target/
{
	this->at = probefunc == "nanosleep" ? arg0 : arg2;
	this->w = (struct wanted *)copyin(this->at, sizeof(struct wanted));
	printf("sleep of %d.%03d s\n", this->w->sec, this->w->nsec / 1000000);
	self->wanted = this->w->sec * 1000000000 + this->w->nsec;
	self->since = timestamp;
	self->ran = vtimestamp;
}

syscall::clock_nanosleep:return, syscall::nanosleep:return
/self->since/
{
	this->elapsed = timestamp - self->since;
	this->cpu = vtimestamp - self->ran;
	printf("%s, %s\n", this->elapsed >= self->wanted ? "slept" : "woken",
	    this->cpu < this->elapsed / 2 ? "idle" : "busy");
	@late["late"] = max(this->elapsed - self->wanted);
	self->since = 0;
	self->wanted = 0;
	self->ran = 0;
}

END { trunc(@late); }

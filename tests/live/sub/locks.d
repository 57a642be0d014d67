/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locks of the kernel, as they look in memory of our own: words of a mutex, a rwlock_t, a struct
 * rw_semaphore.
 */
#pragma D option quiet

BEGIN
{
	this->m = (uint64_t *)alloca(256);
	this->m[offsetof(struct mutex, owner) / 8] = 0xffff888012345003;
	printf("%x %d %d %d\n", (uint64_t)mutex_owner((struct mutex *)this->m),
	    mutex_owned((struct mutex *)this->m),
	    mutex_type_adaptive((struct mutex *)this->m), mutex_type_spin((struct mutex *)this->m));
	this->m[offsetof(struct mutex, owner) / 8] = 0;
	printf("%d %d\n", mutex_owner((struct mutex *)this->m) == NULL,
	    mutex_owned((struct mutex *)this->m));
}

BEGIN
{
	this->l = (uint32_t *)alloca(256);
	this->l[0] = 0;
	printf("%d%d%d ", rw_read_held((rwlock_t *)this->l), rw_write_held((rwlock_t *)this->l),
	    rw_iswriter((rwlock_t *)this->l));
	this->l[0] = 3 << 9;
	printf("%d%d%d ", rw_read_held((rwlock_t *)this->l), rw_write_held((rwlock_t *)this->l),
	    rw_iswriter((rwlock_t *)this->l));
	this->l[0] = 1 << 9 | 0x100;
	printf("%d%d%d ", rw_read_held((rwlock_t *)this->l), rw_write_held((rwlock_t *)this->l),
	    rw_iswriter((rwlock_t *)this->l));
	this->l[0] = 0xff;
	printf("%d%d%d\n", rw_read_held((rwlock_t *)this->l), rw_write_held((rwlock_t *)this->l),
	    rw_iswriter((rwlock_t *)this->l));
}

BEGIN
{
	this->s = (uint64_t *)alloca(256);
	this->s[0] = 0;
	printf("%d%d ", rw_read_held((struct rw_semaphore *)this->s),
	    rw_write_held((struct rw_semaphore *)this->s));
	this->s[0] = 0x202;
	printf("%d%d ", rw_read_held((struct rw_semaphore *)this->s),
	    rw_write_held((struct rw_semaphore *)this->s));
	this->s[0] = 1;
	printf("%d%d%d\n", rw_read_held((struct rw_semaphore *)this->s),
	    rw_write_held((struct rw_semaphore *)this->s),
	    rw_iswriter((struct rw_semaphore *)this->s));
	exit(0);
}

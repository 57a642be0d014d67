/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Block requests, their devices, and files. */

/* b_flags */
inline int B_BUSY = 0x1;
inline int B_DONE = 0x2;
inline int B_ERROR = 0x4;
inline int B_PAGEIO = 0x10;
inline int B_PHYS = 0x20;
inline int B_READ = 0x40;
inline int B_WRITE = 0x100;
/* Of the kernel's own flags, which scripts for Linux look at. */
inline int REQ_WRITE = 0x1;
inline int REQ_SYNC = 0x800;
inline int BIO_USER_MAPPED = 4;
inline int B_ASYNC = 0x400;

/* Files --------------------------------------------------------------------------------------- */

typedef struct fileinfo {
	string fi_name;
	string fi_dirname;
	string fi_pathname;
	int64_t fi_offset;
	string fi_fs;
	string fi_mount;
	int fi_oflags;
} fileinfo_t;

inline struct mount *dt_mount[struct vfsmount *M] =
    (struct mount *)((uintptr_t)M - offsetof(struct mount, mnt));
/* Where it is mounted: "/" of the first. */
inline string dt_mount_path[struct vfsmount *M] =
	dt_mount[M]->mnt_parent == dt_mount[M] ? "/" :
	    mnt_path(&dt_mount[M]->mnt_parent->mnt, dt_mount[M]->mnt_mountpoint);

/* Pipes and sockets are in file systems that are mounted nowhere. */
inline int dt_unmounted[struct inode *I] = (I->i_sb->s_flags >> 31) & 1;

translator fileinfo_t < struct file *F > {
	fi_name = !F ? "<none>" : basename(d_path(&F->f_path));
	fi_dirname = !F || dt_unmounted[F->f_inode] ? "<none>" : dirname(d_path(&F->f_path));
	fi_pathname = !F ? "<none>" : d_path(&F->f_path);
	fi_offset = !F ? 0 : F->f_pos;
	fi_fs = !F ? "<none>" : stringof(F->f_inode->i_sb->s_type->name);
	fi_mount = !F || dt_unmounted[F->f_inode] ? "<none>" : dt_mount_path[F->f_path.mnt];
	fi_oflags = !F ? 0 : F->f_flags;
};

/* A name without the file being open: one of the places where its file system is mounted is
 * taken. */
translator fileinfo_t < struct dentry *D > {
	fi_name = stringof(D->d_name.name);
	fi_dirname = dirname(mnt_path(dt_place(D), D));
	fi_pathname = mnt_path(dt_place(D), D);
	fi_offset = 0;
	fi_fs = stringof(D->d_sb->s_type->name);
	fi_mount = (this->dt_place = dt_place(D), dt_mount_path[this->dt_place]);
	fi_oflags = 0;
};

inline fileinfo_t fds[int fd] = xlate <fileinfo_t>(getf(fd));

/* Requests ------------------------------------------------------------------------------------ */

typedef struct bufinfo {
	int b_flags;
	size_t b_bcount;
	caddr_t b_addr;
	uint64_t b_lblkno;
	uint64_t b_blkno;
	size_t b_resid;
	size_t b_bufsize;
	caddr_t b_iodone;
	int b_error;
	dev_t b_edev;
} bufinfo_t;

typedef struct devinfo {
	int dev_major;
	int dev_minor;
	int dev_instance;
	string dev_name;
	string dev_statname;
	string dev_pathname;
} devinfo_t;

/* Data come in by REQ_OP_READ, 0, and by even numbers from 32 on (SCSI_IN, DRV_IN); flushes, and
 * operations on zones in older kernels, are even too, and are no reads. Requests without a waiter
 * are not marked REQ_SYNC. */
inline int dt_op_reads[unsigned int F] = (F & 0xff) == 0 || (F & 0xe1) == 0x20;
inline int dt_op_flags[unsigned int F] =
    B_BUSY | (dt_op_reads[F] ? B_READ : B_WRITE) | (F & 1 && !(F & 0x800) ? B_ASYNC : 0);

inline struct gendisk *dt_rq_disk[struct request *R] = exists(R->rq_disk) ? R->rq_disk : R->q->disk;
/* Its partition, where the kernel counts such; the whole disk's otherwise. */
inline struct device *dt_part_dev[struct request *R] = exists(R->part->bd_device) ?
    &R->part->bd_device : &R->part->__dev;
inline struct device *dt_disk_dev[struct gendisk *D] = exists(D->part0->bd_device) ?
    &D->part0->bd_device : &D->part0.__dev;
inline struct device *dt_rq_dev[struct request *R] = R->part ? dt_part_dev[R] :
    dt_disk_dev[dt_rq_disk[R]];

/* A flush without data has no place on the disk: all bits are set. */
inline uint64_t dt_rq_block[struct request *R] = R->__sector == -1 ? 0 : R->__sector;

/* What io:::done notes, and other probes do not. */
inline int dt_ended = exists(this->dt_done) ? this->dt_done : 0;
inline int dt_end_status = exists(this->dt_status) ? this->dt_status : 0;
inline int dt_end_errno = exists(this->dt_errno) ? this->dt_errno : 0;
inline uint64_t dt_end_moved = exists(this->dt_moved) ? this->dt_moved : 0;
/* How it ended: the block layer's numbers, of which these have stayed the same; the others are of
 * zones and of disks that are gone. */
inline int dt_block_error[int status] =
	status == 1 ? EOPNOTSUPP : status == 2 ? ETIMEDOUT : status == 3 ? ENOSPC :
	    status == 4 ? ENOLINK : status == 5 ? EREMOTEIO :
	status == 6 ? EBADE : status == 7 ? ENODATA : status == 8 ? EILSEQ : status == 9 ? ENOMEM :
	    status == 11 ? EREMCHG :
	status == 12 ? EAGAIN : status == 13 ? EBUSY : EIO;

/*
 * From the first byte of a request to its file: a page of a file has the file's inode. Each step
 * is noted in a variable of the firing, for what an inline's argument says is copied to wherever
 * it is used.
 */
inline uint64_t dt_info[uint64_t page] = exists(((struct page *)0)->compound_head) ?
    ((struct page *)page)->compound_head :
	((struct page *)page)->compound_info;
/* A folio's later pages lead to the first: by its address, or from 7.0 on by what it has in common
 * with this one's. */
inline uint64_t dt_head[uint64_t page] = (this->dt_link = dt_info[page],
	!(this->dt_link & 1) ? page : this->dt_link >> 32 == 0xffffffff ? page & this->dt_link :
	    this->dt_link - 1);
/* What was cut off another request has its table, and begins somewhere in it; a piece of that may
 * be of several pages. */
inline uint64_t dt_page[struct bio *B] = (
	this->dt_bio = B,
	this->dt_vec = this->dt_bio ? this->dt_bio->bi_io_vec : NULL,
	this->dt_vec = this->dt_vec ? this->dt_vec + this->dt_bio->bi_iter.bi_idx : NULL,
	this->dt_byte = this->dt_vec ? (uint64_t)this->dt_vec->bv_offset +
	    this->dt_bio->bi_iter.bi_bvec_done : 0,
	this->dt_at = this->dt_vec ? (uint64_t)this->dt_vec->bv_page : 0,
	this->dt_at ? this->dt_at + (this->dt_byte >> dt_unix__pageshift) * sizeof (struct page) :
	    0);
inline uint64_t dt_folio[struct bio *B] = (
	this->dt_first = dt_page[B],
	this->dt_at = this->dt_first ? dt_head[this->dt_first] : 0);
inline uint64_t dt_mapping[uint64_t page] =
	exists(((struct folio *)0)->mapping) ? (uint64_t)((struct folio *)page)->mapping :
	    (uint64_t)((struct page *)page)->mapping;
inline uint64_t dt_index[uint64_t page] =
	exists(((struct folio *)0)->index) ? ((struct folio *)page)->index :
	    ((struct page *)page)->index;
inline struct inode *dt_bio_inode[struct bio *B] = (
	this->dt_map = dt_folio[B],
	this->dt_map = this->dt_map ? dt_mapping[this->dt_map] : 0,
	this->dt_host = !this->dt_map || this->dt_map & 3 ? NULL :
	    ((struct address_space *)this->dt_map)->host);
/* Of what dt_bio_inode[] has found: where in the file that is. */
inline int64_t dt_file_offset =
    ((dt_index[this->dt_at] + (this->dt_first - this->dt_at) / sizeof (struct page)) <<
    dt_unix__pageshift) +
	(this->dt_byte & (dt_unix__pagesize - 1));
inline caddr_t dt_buf_addr[struct bio *B] = (
	this->dt_first = dt_page[B],
	this->dt_first ? (caddr_t)(dt_page_address(this->dt_first) +
	    (this->dt_byte & (dt_unix__pagesize - 1))) : (caddr_t)0);

translator bufinfo_t < struct request *R > {
	b_flags = dt_op_flags[R->cmd_flags] | (dt_inode[R] ? B_PAGEIO : B_PHYS) |
	    (dt_ended ? B_DONE : 0) |
		(dt_end_status || dt_end_errno ? B_ERROR : 0);
	b_bcount = R->__data_len;
	b_addr = dt_buf_addr[(R->cmd_flags & 0xff) < 2 ? R->bio : NULL];
	b_lblkno = dt_rq_block[R];
	b_blkno = dt_rq_block[R];
	b_resid = !dt_ended ? 0 : dt_end_status || dt_end_errno ? R->__data_len :
	    R->__data_len - dt_end_moved;
	b_bufsize = R->__data_len;
	b_iodone = (caddr_t)R->end_io;
	b_error = dt_end_status ? dt_block_error[dt_end_status] : dt_end_errno;
	b_edev = dt_rq_dev[R]->devt;
};

translator devinfo_t < struct request *R > {
	dev_major = getmajor(dt_rq_dev[R]->devt);
	dev_minor = getminor(dt_rq_dev[R]->devt);
	dev_instance = getminor(dt_rq_dev[R]->devt);
	dev_name = stringof(dt_rq_disk[R]->disk_name);
	dev_statname = stringof(dt_rq_dev[R]->kobj.name);
	dev_pathname = strjoin("/dev/", stringof(dt_rq_dev[R]->kobj.name));
};

inline struct inode *dt_inode[struct request *R] =
    dt_bio_inode[(R->cmd_flags & 0xff) < 2 ? R->bio : NULL];

/*
 * The pages of direct I/O are the caller's. The function that is called at the bio's end
 * identifies its owner: the kernel's form of the call, or the waiting task; otherwise it is the
 * issuing task.
 */
inline struct kiocb *dt_iomap_call[uint64_t dio] =
	exists(((struct iomap_dio *)0)->iocb) ? ((struct iomap_dio *)dio)->iocb : NULL;
inline struct kiocb *dt_dio_call[uint64_t dio] = exists(((struct dio *)0)->iocb) ?
    ((struct dio *)dio)->iocb : NULL;
inline struct kiocb *dt_blkdev_call[uint64_t dio] =
	exists(((struct blkdev_dio *)0)->iocb) ? ((struct blkdev_dio *)dio)->iocb : NULL;
inline uint64_t dt_blkdev_dio[uint64_t bio] =
	exists(((struct blkdev_dio *)0)->bio) ? bio - offsetof(struct blkdev_dio, bio) : 0;
inline int dt_blkdev_waits[uint64_t dio] = exists(((struct blkdev_dio *)0)->is_sync) ?
    ((struct blkdev_dio *)dio)->is_sync :
	/* DIO_IS_SYNC */
	exists(((struct blkdev_dio *)0)->flags) ? ((struct blkdev_dio *)dio)->flags & 2 : 0;
inline struct kiocb *dt_bio_call = (
	this->dt_end == dt_function("iomap_dio_bio_end_io") ? dt_iomap_call[this->dt_whose] :
	this->dt_end == dt_function("dio_bio_end_io") ||
	    this->dt_end == dt_function("dio_bio_end_aio") ? dt_dio_call[this->dt_whose] :
	this->dt_end == dt_function("blkdev_bio_end_io_async") ?
	    dt_blkdev_call[dt_blkdev_dio[(uint64_t)this->dt_bio]] :
	this->dt_end == dt_function("blkdev_bio_end_io") &&
	    !dt_blkdev_waits[this->dt_whose] ? dt_blkdev_call[this->dt_whose] : NULL);

/* The first task that waits for a completion; before there is one, the issuing task. */
inline struct task_struct *dt_waiter[struct completion *done] = (
	this->dt_waits = (uint64_t)done->wait.task_list.next,
	this->dt_waits == (uint64_t)&done->wait.task_list ? this->dt_issuer :
	((struct swait_queue *)(this->dt_waits - offsetof(struct swait_queue, task_list)))->task);
inline struct task_struct *dt_bio_task =
	this->dt_end == dt_function("blkdev_bio_end_io") ?
	    (struct task_struct *)dt_blkdev_call[this->dt_whose] :
	this->dt_end == dt_function("blkdev_bio_end_io_simple") ?
	    (struct task_struct *)this->dt_whose :
	this->dt_end == dt_function("submit_bio_wait_endio") ||
	    this->dt_end == dt_function("bio_wait_end_io") ?
	dt_waiter[(struct completion *)this->dt_whose] :
	this->dt_issuer;

/* What a thread's system call names first, where that is open for direct I/O. Threads of the
 * kernel (PF_KTHREAD) make none. */
inline struct file *dt_call_file[struct task_struct *T] = (
	this->dt_task = T,
	this->dt_files = this->dt_task &&
	    !(this->dt_task->flags & 0x200000) ? this->dt_task->files : NULL,
	this->dt_fds = this->dt_files ? this->dt_files->fdt : NULL,
	this->dt_fd = this->dt_fds ? (unsigned int)dt_task_arg[this->dt_task, 0] : 0,
	this->dt_called = this->dt_fds &&
	    this->dt_fd < this->dt_fds->max_fds ? this->dt_fds->fd[this->dt_fd] : NULL,
	this->dt_called && this->dt_called->f_flags & O_DIRECT ? this->dt_called : NULL);

/* What is too large for the device is cut: each piece ends in what it was cut off. */
inline struct bio *dt_whole_bio[struct bio *B] =
	B && dt_function("bio_chain_endio") &&
	    (uint64_t)B->bi_end_io == dt_function("bio_chain_endio") ? (struct bio *)B->bi_private :
	    B;
inline struct file *dt_direct_file[struct bio *B] = (
	this->dt_bio = B,
	/* REQ_META: what the call leads to */
	this->dt_bio = this->dt_bio && this->dt_bio->bi_opf & 0x1000 ? NULL : this->dt_bio,
	this->dt_bio = dt_whole_bio[this->dt_bio],
	this->dt_bio = dt_whole_bio[this->dt_bio],
	this->dt_end = this->dt_bio ? (uint64_t)this->dt_bio->bi_end_io : 0,
	this->dt_end = this->dt_end ? this->dt_end : 1, /* no function that a kernel lacks */
	this->dt_whose = this->dt_bio ? (uint64_t)this->dt_bio->bi_private : 0,
	this->dt_call = dt_bio_call,
	!this->dt_bio ? NULL : this->dt_call ? this->dt_call->ki_filp : dt_call_file[dt_bio_task]);
/* Where the call begins; calls that the kernel gives no form of their own are of one block or
 * few. */
inline int64_t dt_call_pos = this->dt_call ? this->dt_call->ki_pos : 0;

/*
 * One of the file's names, and one of the places where its file system is mounted; of direct I/O
 * those that it was opened by. What is read and written of a block device itself has names that
 * are no paths (from 6.9 on).
 */
inline uint64_t dt_alias_at = exists(((struct dentry *)0)->d_u) ? offsetof(struct dentry, d_u) :
    offsetof(struct dentry, d_alias);
inline struct dentry *dt_dentry[struct request *R] = (
	this->dt_file = dt_inode[R],
	this->dt_direct = this->dt_file ? NULL :
	    dt_direct_file[(R->cmd_flags & 0xff) < 2 ? R->bio : NULL],
	this->dt_file = this->dt_direct ? this->dt_direct->f_inode : this->dt_file,
	this->dt_name = this->dt_file && !this->dt_direct &&
	    !dt_unmounted[this->dt_file] ? (uint64_t)this->dt_file->i_dentry.first : 0,
	this->dt_direct ? this->dt_direct->f_path.dentry :
	this->dt_name ? (struct dentry *)(this->dt_name - dt_alias_at) : NULL);
/* Of what dt_dentry[] has found. */
inline struct vfsmount *dt_mounted = this->dt_direct ? this->dt_direct->f_path.mnt :
    dt_place(this->dt_d);
inline string dt_file_path[struct request *R] =
	(this->dt_d = dt_dentry[R]) ? mnt_path(dt_mounted, this->dt_d) : "<none>";

translator fileinfo_t < struct request *R > {
	fi_name = (this->dt_d = dt_dentry[R]) ? stringof(this->dt_d->d_name.name) : "<none>";
	fi_dirname = (this->dt_d = dt_dentry[R]) ? dirname(mnt_path(dt_mounted, this->dt_d)) :
	    "<none>";
	fi_pathname = dt_file_path[R];
	fi_offset = !dt_dentry[R] ? 0 : this->dt_direct ? dt_call_pos : dt_file_offset;
	fi_fs = dt_dentry[R] ? stringof(this->dt_file->i_sb->s_type->name) : "<none>";
	fi_mount = (this->dt_d = dt_dentry[R]) ?
	    (this->dt_place = dt_mounted, dt_mount_path[this->dt_place]) : "<none>";
	fi_oflags = 0;
};

/*
 * What a client of NFS asks for. Its file systems are on no device: they have the numbers that the
 * kernel gives them instead. Which way the bytes go, and how it ended, is noted by the probe.
 */
inline int dt_nfs_reads = exists(this->dt_nfs_read) ? this->dt_nfs_read : 0;
inline struct dentry *dt_nfs_dentry[struct nfs_pgio_header *H] = (
	this->dt_name = (uint64_t)H->inode->i_dentry.first,
	this->dt_name ? (struct dentry *)(this->dt_name - dt_alias_at) : NULL);

translator bufinfo_t < struct nfs_pgio_header *H > {
	b_flags = B_BUSY | B_PAGEIO | (dt_nfs_reads ? B_READ : B_WRITE | B_ASYNC) |
	    (dt_ended ? B_DONE : 0) | (dt_end_errno ? B_ERROR : 0);
	b_bcount = H->args.count;
	b_addr = 0;
	b_lblkno = H->args.offset / 512;
	b_blkno = H->args.offset / 512;
	b_resid = !dt_ended ? 0 : dt_end_errno ? H->args.count : H->args.count - H->res.count;
	b_bufsize = H->args.count;
	b_iodone = 0;
	b_error = dt_end_errno;
	b_edev = H->inode->i_sb->s_dev;
};

translator devinfo_t < struct nfs_pgio_header *H > {
	dev_major = getmajor(H->inode->i_sb->s_dev);
	dev_minor = getminor(H->inode->i_sb->s_dev);
	dev_instance = getminor(H->inode->i_sb->s_dev);
	dev_name = "nfs";
	dev_statname = strjoin("nfs", lltostr(getminor(H->inode->i_sb->s_dev)));
	dev_pathname = "<nfs>";
};

translator fileinfo_t < struct nfs_pgio_header *H > {
	fi_name = (this->dt_d = dt_nfs_dentry[H]) ? stringof(this->dt_d->d_name.name) : "<none>";
	fi_dirname = (this->dt_d = dt_nfs_dentry[H]) ?
	    dirname(mnt_path(dt_place(this->dt_d), this->dt_d)) : "<none>";
	fi_pathname = (this->dt_d = dt_nfs_dentry[H]) ? mnt_path(dt_place(this->dt_d), this->dt_d) :
	    "<none>";
	fi_offset = H->args.offset;
	fi_fs = stringof(H->inode->i_sb->s_type->name);
	fi_mount = (this->dt_d = dt_nfs_dentry[H]) ?
	    (this->dt_place = dt_place(this->dt_d), dt_mount_path[this->dt_place]) : "<none>";
	fi_oflags = 0;
};

/*
 * What a thread waits for, as the probe has noted it in the thread: a bio, a buffer, a page. Where
 * functions cannot be traced, and of waits that begin in other functions, nothing is noted.
 */
inline struct inode *dt_wait_inode = (
	this->dt_map = self->dt_wait_page ? dt_mapping[self->dt_wait_page] : 0,
	!this->dt_map || this->dt_map & 3 ? NULL : ((struct address_space *)this->dt_map)->host);
/* A block device's own pages have an inode that follows it in memory. */
inline struct block_device *dt_inode_bdev[struct inode *I] =
	exists(((struct bdev_inode *)0)->vfs_inode) && (I->i_mode & 0170000) == 0060000 ?
	(struct block_device *)((uint64_t)I - offsetof(struct bdev_inode, vfs_inode)) :
	    I->i_sb->s_bdev;
inline struct block_device *dt_wait_bdev =
	self->dt_wait_bio ? (exists(((struct bio *)0)->bi_bdev) ?
	    ((struct bio *)self->dt_wait_bio)->bi_bdev : NULL) :
	self->dt_wait_buf ? ((struct buffer_head *)self->dt_wait_buf)->b_bdev : NULL;
inline struct device *dt_bdev_dev[struct block_device *B] = exists(B->bd_device) ? &B->bd_device :
    &B->bd_part->__dev;
inline struct device *dt_wait_dev = (
	this->dt_inode = dt_wait_inode,
	this->dt_bdev = this->dt_inode ? dt_inode_bdev[this->dt_inode] : dt_wait_bdev,
	this->dt_bdev ? dt_bdev_dev[this->dt_bdev] :
	!exists(((struct bio *)0)->bi_disk) ? (struct device *)NULL :
	self->dt_wait_bio ? dt_disk_dev[((struct bio *)self->dt_wait_bio)->bi_disk] :
	    (struct device *)NULL);
inline uint64_t dt_wait_block = self->dt_wait_bio ? self->dt_wait_sector : self->dt_wait_buf ?
	((struct buffer_head *)self->dt_wait_buf)->b_blocknr *
	    (((struct buffer_head *)self->dt_wait_buf)->b_size / 512) : 0;
inline dev_t dt_wait_devt = (this->dt_dev = dt_wait_dev) ? this->dt_dev->devt : 0;
inline string dt_wait_name = (this->dt_dev = dt_wait_dev) ? stringof(this->dt_dev->kobj.name) :
    "<none>";

translator bufinfo_t < struct task_struct *T > {
	b_flags = self->dt_wait_bio ? dt_op_flags[((struct bio *)self->dt_wait_bio)->bi_opf] |
	    B_PHYS :
		self->dt_wait_page ? B_BUSY | B_PAGEIO |
		    (self->dt_wait_bit == PG_writeback ? B_WRITE : B_READ) : B_BUSY;
	b_bcount = self->dt_wait_bio ? self->dt_wait_size :
	    self->dt_wait_buf ? ((struct buffer_head *)self->dt_wait_buf)->b_size : 0;
	b_addr = 0;
	b_lblkno = dt_wait_block;
	b_blkno = dt_wait_block;
	b_resid = 0;
	b_bufsize = self->dt_wait_bio ? self->dt_wait_size :
	    self->dt_wait_buf ? ((struct buffer_head *)self->dt_wait_buf)->b_size : 0;
	b_iodone = 0;
	b_error = 0;
	b_edev = dt_wait_devt;
};

translator devinfo_t < struct task_struct *T > {
	dev_major = getmajor(dt_wait_devt);
	dev_minor = getminor(dt_wait_devt);
	dev_instance = getminor(dt_wait_devt);
	dev_name = dt_wait_name;
	dev_statname = dt_wait_name;
	dev_pathname = (this->dt_dev = dt_wait_dev) ?
	    strjoin("/dev/", stringof(this->dt_dev->kobj.name)) : "<none>";
};

inline struct dentry *dt_wait_dentry = (
	this->dt_file = dt_wait_inode,
	this->dt_direct = self->dt_wait_bio &&
	    !(((struct bio *)self->dt_wait_bio)->bi_opf & 0x1000) ? dt_call_file[curthread] : NULL,
	this->dt_file = this->dt_direct ? this->dt_direct->f_inode : this->dt_file,
	this->dt_name = this->dt_file && !this->dt_direct &&
	    !dt_unmounted[this->dt_file] ? (uint64_t)this->dt_file->i_dentry.first : 0,
	this->dt_direct ? this->dt_direct->f_path.dentry :
	this->dt_name ? (struct dentry *)(this->dt_name - dt_alias_at) : NULL);

translator fileinfo_t < struct task_struct *T > {
	fi_name = (this->dt_d = dt_wait_dentry) ? stringof(this->dt_d->d_name.name) : "<none>";
	fi_dirname = (this->dt_d = dt_wait_dentry) ? dirname(mnt_path(dt_mounted, this->dt_d)) :
	    "<none>";
	fi_pathname = (this->dt_d = dt_wait_dentry) ? mnt_path(dt_mounted, this->dt_d) : "<none>";
	fi_offset = dt_wait_dentry && self->dt_wait_page ?
	    dt_index[self->dt_wait_page] << dt_unix__pageshift : 0;
	fi_fs = dt_wait_dentry ? stringof(this->dt_file->i_sb->s_type->name) : "<none>";
	fi_mount = (this->dt_d = dt_wait_dentry) ?
	    (this->dt_place = dt_mounted, dt_mount_path[this->dt_place]) : "<none>";
	fi_oflags = 0;
};

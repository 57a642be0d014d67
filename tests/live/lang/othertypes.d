/* @@opts: -q */
/* Types of other systems that the D library declares. */
enum uio_rw way;
uio_rw_t back;
BEGIN { way = UIO_WRITE; back = UIO_READ;
	printf("%d %d %d\n", way, back, sizeof(uio_rw_t)); exit(0); }

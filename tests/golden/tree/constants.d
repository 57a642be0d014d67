/* Constants that scripts of other systems, and of older kernels, name. */
BEGIN
{
	trace(PR_STOPPED + PR_ISTOP + PR_DSTOP + PR_IDLE);
	trace(RW_READER + 10 * RW_WRITER);
	trace(TH_PSH + 1000 * TCP_MIN_HEADER_LENGTH);
	trace(O_ASYNC | O_FSYNC);
	trace(IPPROTO_MH);
	trace(REQ_WRITE | REQ_SYNC | BIO_USER_MAPPED);
	trace(PCAP_NULL + PCAP_IPOIB);
	trace(uregs[R_R1] != 0);
	trace(MAP_TEXT | MAP_INITDATA | MAP_ALIGN);
}

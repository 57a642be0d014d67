/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UDP: the header of a datagram, the socket. */

typedef struct udpinfo {
	uint16_t udp_sport;
	uint16_t udp_dport;
	uint16_t udp_length;
	uint16_t udp_checksum;
	struct udphdr *udp_hdr;
} udpinfo_t;

translator udpinfo_t < struct udphdr *H > {
	udp_sport = H ? ntohs(H->source) : 0;
	udp_dport = H ? ntohs(H->dest) : 0;
	udp_length = H ? ntohs(H->len) : 0;
	udp_checksum = H ? ntohs(H->check) : 0;
	udp_hdr = H;
};

typedef struct udpsinfo {
	uintptr_t udps_addr;
	uint16_t udps_lport;
	uint16_t udps_rport;
	string udps_laddr;
	string udps_raddr;
} udpsinfo_t;

translator udpsinfo_t < struct sock *S > {
	udps_addr = (uintptr_t)S;
	udps_lport = S ? dt_sock_port[S] : 0;
	udps_rport = S ? ntohs(S->__sk_common.skc_dport) : 0;
	udps_laddr = S ? dt_sock_local[S] : "";
	udps_raddr = S ? dt_sock_remote[S] : "";
};

/* The sender of a datagram is the current task: sockets of UDP are not locked for sending. */
translator csinfo_t < struct udp_sock *S > {
	cs_addr = (uintptr_t)S;
	cs_cid = (uint64_t)S;
	cs_cookie = S ? S->inet.sk.__sk_common.skc_cookie.counter : 0;
	cs_pid = S ? dt_socket_pid(S, S->inet.sk.__sk_common.skc_portpair, pid) : 0;
	cs_zoneid = 0;
};

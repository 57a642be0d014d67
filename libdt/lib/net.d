/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Networks: address families, types of sockets, protocols, link types. */

inline int AF_UNSPEC = 0;
inline int AF_UNIX = 1;
inline int AF_LOCAL = 1;
inline int AF_INET = 2;
inline int AF_AX25 = 3;
inline int AF_IPX = 4;
inline int AF_APPLETALK = 5;
inline int AF_X25 = 9;
inline int AF_INET6 = 10;
inline int AF_NETLINK = 16;
inline int AF_PACKET = 17;
inline int AF_ALG = 38;
inline int AF_VSOCK = 40;
inline int AF_XDP = 44;
inline int AF_BLUETOOTH = 31;
inline int AF_CAN = 29;
inline int AF_TIPC = 30;

inline int SOCK_STREAM = 1;
inline int SOCK_DGRAM = 2;
inline int SOCK_RAW = 3;
inline int SOCK_RDM = 4;
inline int SOCK_SEQPACKET = 5;
inline int SOCK_PACKET = 10;
inline int SOCK_NONBLOCK = 04000;
inline int SOCK_CLOEXEC = 02000000;

inline int IPPROTO_IP = 0;
inline int IPPROTO_ICMP = 1;
inline int IPPROTO_IGMP = 2;
inline int IPPROTO_IPIP = 4;
inline int IPPROTO_TCP = 6;
inline int IPPROTO_EGP = 8;
inline int IPPROTO_PUP = 12;
inline int IPPROTO_UDP = 17;
inline int IPPROTO_IDP = 22;
inline int IPPROTO_TP = 29;
inline int IPPROTO_DCCP = 33;
inline int IPPROTO_IPV6 = 41;
inline int IPPROTO_RSVP = 46;
inline int IPPROTO_GRE = 47;
inline int IPPROTO_ESP = 50;
inline int IPPROTO_AH = 51;
inline int IPPROTO_MTP = 92;
inline int IPPROTO_ENCAP = 98;
inline int IPPROTO_PIM = 103;
inline int IPPROTO_COMP = 108;
inline int IPPROTO_L2TP = 115;
inline int IPPROTO_SCTP = 132;
inline int IPPROTO_MH = 135;
inline int IPPROTO_UDPLITE = 136;
inline int IPPROTO_MPLS = 137;
inline int IPPROTO_RAW = 255;
inline int IPPROTO_MPTCP = 262;
inline int IPPROTO_HOPOPTS = 0;
inline int IPPROTO_ROUTING = 43;
inline int IPPROTO_FRAGMENT = 44;
inline int IPPROTO_ICMPV6 = 58;
inline int IPPROTO_NONE = 59;
inline int IPPROTO_DSTOPTS = 60;
inline int IPPROTO_OSPF = 89;

inline int ETHERTYPE_IP = 0x800;
inline int ETHERTYPE_ARP = 0x806;
inline int ETHERTYPE_VLAN = 0x8100;
inline int ETHERTYPE_IPV6 = 0x86dd;

inline int ARPHRD_ETHER = 1;
inline int ARPHRD_IEEE802 = 6;
inline int ARPHRD_INFINIBAND = 32;
inline int ARPHRD_PPP = 512;
inline int ARPHRD_TUNNEL = 768;
inline int ARPHRD_TUNNEL6 = 769;
inline int ARPHRD_LOOPBACK = 772;
inline int ARPHRD_SIT = 776;
inline int ARPHRD_IPGRE = 778;
inline int ARPHRD_IEEE80211 = 801;
inline int ARPHRD_NETLINK = 824;
inline int ARPHRD_NONE = 65534;
inline int ARPHRD_VOID = 65535;

inline int INADDR_ANY = 0;
inline uint32_t INADDR_BROADCAST = 0xffffffff;
inline uint32_t INADDR_LOOPBACK = 0x7f000001;

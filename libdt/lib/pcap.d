/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pcap() takes a packet for: where it begins, by the numbers of libpcap's DLT_*. */

inline int PCAP_NULL = 0;
inline int PCAP_ETHER = 1;
inline int PCAP_PPP = 9;
inline int PCAP_IP = 12;
inline int PCAP_WIFI = 105;
inline int PCAP_IPOIB = 242;

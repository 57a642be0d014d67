/* @@kernel: */
BEGIN { pcap(curthread, PCAP_IP); }

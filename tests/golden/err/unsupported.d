BEGIN { pcap(); }

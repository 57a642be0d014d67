# @@needs: cmd:losetup cmd:mkfs.ext4
# vminfo: pages of a file that are used again and again.
case $(cat /sys/kernel/mm/lru_gen/enabled 2>/dev/null) in
'' | 0x0000) ;;
*) echo 'pages are kept by their generations here (lru_gen), and no event tells'; exit 77 ;;
esac
. "$FIXTURE/filesystem"
cd m
head -c 1000000 /dev/zero >made
$DTRACE -qn 'vminfo:::pgrec /pid == $target/ { n += arg0; } END { printf("pgrec %d\n", n > 0 && n < 1000); }' -c 'cat made made made made' |
	tr -d '\0' | grep .

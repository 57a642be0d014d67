# @@needs: cmd:losetup cmd:mkfs.ext4
# vminfo: pages of a file that are used again and again. Where these are kept by generations no
# event shows it, but a guest of ours can be configured for the older lists.
lru_gen=/sys/kernel/mm/lru_gen/enabled
. "$FIXTURE/filesystem"
cd m
case $(cat $lru_gen 2>/dev/null) in
'' | 0x0000) ;;
*)
	[ -e /sys/module/9pnet_virtio/refcnt ] || {
		echo 'pages are kept by their generations here (lru_gen), and no event tells'
		exit 77
	}
	trap "echo $(cat $lru_gen) >$lru_gen; cd / && umount $mounted; losetup -d $loop" EXIT
	echo 0 >$lru_gen
	;;
esac
head -c 1000000 /dev/zero >made
$DTRACE -qn 'vminfo:::pgrec /pid == $target/ { n += arg0; }
	END { printf("pgrec %d\n", n > 0 && n < 1000); }' -c 'cat made made made made' |
	tr -d '\0' | grep .

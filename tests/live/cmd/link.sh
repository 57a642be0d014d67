# make install says how scripts find dtrace, and make install-link does it; what is there already
# stays.
# @@needs: cmd:make
run() { make -s -C "$BUILD" --no-print-directory DESTDIR="$PWD" sbindir=/opt/bin "$@"; }
run install-exec-hook >said
grep -q '#!/usr/sbin/dtrace' said
run install-link >/dev/null
[ "$(readlink usr/sbin/dtrace)" = /opt/bin/dtrace ]
run install-link # again: it is there
[ -z "$(run install-exec-hook)" ]
rm usr/sbin/dtrace
echo other >usr/sbin/dtrace
! run install-link 2>err || exit 1
grep -q 'is there already' err
grep -q other usr/sbin/dtrace

# SPDX-License-Identifier: GPL-2.0-or-later
# Debian's Ruby, whose probes are in its library. (Methods fire only while Ruby traces itself.)
# @@needs: file:/usr/bin/ruby3.1
cat >t.rb <<'P'
TracePoint.new(:call) {}.enable
class Counter
  def add(n) n + 1 end
end
c = Counter.new
3.times { |i| c.add(i) }
begin
  raise ArgumentError
rescue ArgumentError
end
GC.start
P
cat >t.d <<'D'
ruby$target:::method-entry, ruby$target:::object-create
/copyinstr(arg0) == "Counter"/
{
	printf("%s %s %s:%d\n", probename, copyinstr(arg0),
	    basename(probename == "method-entry" ? copyinstr(arg2) : copyinstr(arg1)),
	       probename == "method-entry" ? arg3 : arg2);
}
ruby$target:::raise { printf("raise %s %d\n", copyinstr(arg0), arg2); }
ruby$target:libruby*::gc-mark-begin, ruby$target:::gc-mark-end { @[probename] = count(); }
END { exit(0); }
D
$DTRACE -q -s t.d -c '/usr/bin/ruby3.1 --disable=gems t.rb'

# sdt's probes of other systems: interrupts and timers; only by their names, and whatever module is
# said.
# @@status: 1
# @@stderr: ^dtrace: failed to match sdt:::callout-\*: No probe matches
$DTRACE -ln 'sdt:::interrupt-start, sdt:unix::interrupt-complete, sdt:::callout-start,
	sdt:::callout-end' |
	awk 'NR > 1 { print $2, $NF }' |
	sort
[ "$($DTRACE -ln 'sdt:irq::' | grep -c 'interrupt-')" = 0 ]
[ "$($DTRACE -ln 'sdt:::callout-*' -Z | grep -c callout)" = 0 ]
# The kernel's own timers run all the time.
$DTRACE -qn 'sdt:::callout-start { self->timer = arg0; }
	sdt:::callout-end /self->timer == arg0 && arg0/ { printf("timer\n"); exit(0); }'
$DTRACE -e -n 'sdt:::interrupt-start { self->ts = vtimestamp; @[args[0]] = count(); }
	sdt:::interrupt-complete /self->ts/ { this->t = vtimestamp - self->ts;
		@t[arg0] = sum(this->t); self->ts = 0; }'

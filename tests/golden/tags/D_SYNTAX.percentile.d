BEGIN { @n = quantize(1); printa("%@p100.5", @n); }

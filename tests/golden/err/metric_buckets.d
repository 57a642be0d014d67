#pragma D metric x buckets 3
BEGIN { @x = quantize(3); }

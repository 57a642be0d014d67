/* A distribution in a line, and bars scaled to the largest. */
/* @@opts: -q -x aggpack */
BEGIN
{
	@q["a"] = quantize(1);
	@q["a"] = quantize(2);
	@q["a"] = quantize(2);
	@q["b"] = quantize(70);
	@l = lquantize(5, 0, 3);
	@c = count();
	printa(@q);
	setopt("encoding", "utf8");
	setopt("aggzoom");
	printa(@q);
	setopt("aggpack", "off");
	printa(@q);
	exit(0);
}

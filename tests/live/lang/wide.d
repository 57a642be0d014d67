/* What overflows an int is computed in 64 bits where these are wanted; a variable, a cast, a recorded value of int have 32. */
/* @@args: 3000 */
#pragma D option quiet
inline uint64_t LEAST = $1 * 1000000;
inline int SECOND = 1000000000;
BEGIN
{
	secs = 10;
	since = timestamp;
	until = since + secs * 1000000000;
	printf("%d s, %d %d\n", (until - since) / SECOND, LEAST, 5 * SECOND > 3000000000);
	printf("%d %d %d\n", (uint64_t)4000000000 > $1 * 1000000, secs * SECOND > 2000000000, secs * SECOND < 0);
	printf("%d %d\n", 5 * 1000000000, sizeof (5 * 1000000000));
	whole = secs * SECOND;
	printf("%d %d %d %d\n", whole, secs * SECOND, (int)(secs * SECOND), (long)(int)(secs * SECOND));
	printf("%d %d\n", (long)(secs * SECOND), (long)-(secs * SECOND));
	printf("%d %d\n", (int64_t)(secs ? secs * SECOND : 0), until - since + (secs > 20 ? 0 : secs * SECOND / 10));
	printf("%d %d\n", (uint64_t)(secs << 30), (int64_t)((secs * SECOND) % 7));
	@["summed"] = sum(secs * SECOND);
	@keys[secs * SECOND] = count();
	this->u = (unsigned int)secs;
	printf("%d\n", (uint64_t)(this->u * 1000000000));
	exit(0);
}

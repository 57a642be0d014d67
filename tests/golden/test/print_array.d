/*
 * Equal elements at the end of an array are printed once.
 *
 * @test
 * fire app:mod:func:name
 */
#pragma D option quiet
int numbers[5];
long pair[2];
struct point { int x, y; } points[3];
app:mod:func:name
{
	numbers[0] = 1;
	numbers[1] = 2;
	pair[1] = 7;
	points[0].x = 3;
	print(numbers);
	print(pair);
	print(points);
}
app:mod:func:name { numbers[4] = 5; pair[0] = 7; print(numbers); print(pair); }

/* Conversions are explicit, constants folded, pointers scaled, sugar gone. */
enum color { RED, GREEN = 5 };
inline int FACTOR = 2 + 3;
uint8_t small;
int numbers[4];

BEGIN
{
	small = 300;
	big = small * FACTOR + 1ULL;
	this->p = (int *)alloca(16);
	this->q = this->p + 2;
	this->c = this->p == NULL ? 'a' : GREEN;
	numbers[this->c & 3] += small;
	name = 0 ? 5 : "text";
	same = name == "text" && name != NULL;
	0 ? printf("%d", no_such_thing) : 1;
}

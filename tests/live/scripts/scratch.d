/*
 * Memory of copyin() and alloca() lasts for the whole firing: a clause fetches, one ends the text,
 * one prints; this-> does too.
 */
/* @@trigger: sh -c 'echo hello world' */
#pragma D option quiet

syscall::write:entry
/pid == $target && arg0 == 1 && arg2 == 12/
{
	this->text = (char *)copyin(arg1, arg2);
	this->own = (char *)alloca(arg2 + 1);
	bcopy(this->text, this->own, arg2);
	this->own[arg2] = '\0';
	this->len = arg2;
	this->n = 0;
}

syscall::write:entry
/this->text != NULL && this->len > 5/
{
	this->text[5] = '\0';
	this->n = strlen(stringof(this->own));
	this->own[this->len - 1] = '.';
}

syscall::write:entry
/this->n/
{
	printf("%s|%s|%d|%c\n", stringof(this->text), stringof(this->own), this->n, this->text[0]);
}

/* What is copied is text that ends, whatever lay there before. */
syscall::write:entry
/this->n/
{
	printf("%s|%s|%s\n", stringof(copyin(arg1, this->n - 11)), stringof(copyin(arg1 + 6, 2)),
	    stringof(copyin(arg1, this->n - 4)));
}

# SPDX-License-Identifier: GPL-2.0-or-later
# "probe p(native) : (translated)": args[] are what the provider's declaration says, seen through
# translators, by name, from the script and from the user's library; -h and -G take the same text
# without the translators.
# @@needs: cmd:gcc
# @@status: 1
# @@stderr: ^dtrace: invalid probe specifier
cat >node.d <<'D'
typedef struct { int dummy; } node_dtrace_connection_t;
typedef struct { int dummy; } node_connection_t;
provider node {
	probe net__server__connection(node_dtrace_connection_t *c, const char *a, int p, int fd)
		: (node_connection_t *c, string a, int p, int fd);
	probe map(int i, int8_t j) : (int j, int i, int i);
	probe plain(char *text, node_dtrace_connection_t *c, uint16_t n)
		: (char *text, node_dtrace_connection_t *c, uint16_t n);
	probe twice(node_dtrace_connection_t *c, int n)
		: (node_connection_t *c, node_connection_t *c);
	probe done();
};
D
cat >node.c <<'C'
#include "node.h"
struct connection { int fd, port; const char *remote; struct connection *next; };
char here[] = "10.0.0.2", there[] = "10.0.0.1", hello[] = "hello";
struct connection d = {8, 81, there, 0}, c = {7, 80, there, &d};
int main(int argc, char **argv)
{
	(void) argv;
	NODE_NET_SERVER_CONNECTION(&c, here, 8080, argc + 6);
	NODE_MAP(argc, -2);
	NODE_PLAIN(hello, &d, 65535);
	NODE_TWICE(&c, 1);
	NODE_DONE();
	return 0;
}
C
$DTRACE -h -s node.d
gcc -O1 -c node.c
$DTRACE -G -s node.d -o probes.o node.o
gcc -o node node.o probes.o

mkdir lib
cat >lib/node.d <<'D'
typedef struct node_dtrace_connection {
	int fd, port; char *remote; struct node_dtrace_connection *next;
} node_dtrace_connection_t;
typedef struct { int fd; string remote; int port; int second; } node_connection_t;
translator node_connection_t < node_dtrace_connection_t *c > {
	/* as on systems that do not see whose memory it is */
	fd = *(int *)copyin((uintptr_t)&c->fd, sizeof (int));
	port = c->port;
	remote = stringof(c->remote);
	second = c->next->fd;
};
D
sed '1,2d' node.d >>lib/node.d
cat >all.d <<'D'
node$target:::net-server-connection
{
	printf("%s:%d fd %d, next %d\n", args[0]->remote, args[0]->port,
	    args[0]->fd, args[0]->second);
	printf("%s %s %d %d\n", args[1], substr(args->a, 3), args[2], args[3]);
	this->c = args[0];
	@[args[1], this->c->port] = count();
}
node$target:::map { printf("%d %d %d, %d %d\n", args[0], args[1], args[2], arg0, arg1); }
node$target:::plain { printf("%s %d %d\n", stringof(args[0]), args[1]->port, args[2]); }
node$target:::twice { printf("%d %s\n", args[0]->port, args[1]->remote); }
node$target:::done { printf("done\n"); }
END { printa("%s %d %@d\n", @); }
D
$DTRACE -L lib -qs all.d -c ./node
$DTRACE -L lib -lvn 'node$target:::net-server-connection, node$target:::map' -c ./node |
	sed -n '/Argument Types/,/^$/p'
# The same in one script.
cat lib/node.d all.d >one.d
$DTRACE -qs one.d -c ./node
# Without a declaration in the script that of the object counts, for argN and args[], with -G and
# with notes of Oracle's; with one but no translator, or beyond what the program passes, an error.
$DTRACE -qn 'node$target:::map { printf("%d %d\n", args[0], args[1]); }' -c ./node
$DTRACE -qs node.d -n 'node$target:::net-server-connection {
	printf("%s %d\n", args[1], args[3]); }' -c ./node
for what in 'net-server-connection { trace(args[0]->dummy); }' 'map { trace(args[3]); }'; do
	$DTRACE -qs node.d -n "node\$target:::$what" -c ./node 2>err && exit 1
	sed 's/node[0-9][0-9]*:/nodePID:/; s/.*\(}\|[.][.][.]\): //' err
done
sed 's/probe done()/probe done(int i)/' node.d >more.d
$DTRACE -qs more.d -n 'node$target:::done { trace(args[0]); }' -c ./node 2>err && exit 1
sed 's/node[0-9][0-9]*:/nodePID:/; s/.*\(}\|[.][.][.]\): //' err

typedef int foo; typedef char foo;

struct out { int a; int b; };
translator struct out < int i > { a = i; };
typedef int number;
translator struct out < number n > { b = n; };
BEGIN { }

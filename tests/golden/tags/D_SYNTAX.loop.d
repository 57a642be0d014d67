BEGIN { for (;;) ; }

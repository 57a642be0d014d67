BEGIN { x = ~"a"; }

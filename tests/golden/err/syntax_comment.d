BEGIN { x = ; /* } */ }
END { nosuch(); } // "
tick-1s { y = 'ab; }
tick-2s { z = 1 + ; } /* not closed

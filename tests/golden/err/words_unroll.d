BEGIN { unroll (3) { trace(1); } }

BEGIN { trace(stack(5).frames); }

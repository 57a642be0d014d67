define VALUE 5
BEGIN { trace(VALUE); }

short float x;
BEGIN { }

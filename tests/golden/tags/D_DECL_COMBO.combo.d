int string x;

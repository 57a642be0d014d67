int n;
BEGIN { this->x = n ? n : n ? 1 : printf("a"); }

extern const int;

provider p { probe x(int, void); };

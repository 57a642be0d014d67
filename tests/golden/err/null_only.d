BEGIN { this->s = NULL; printf("%d\n", this->s == "a"); }

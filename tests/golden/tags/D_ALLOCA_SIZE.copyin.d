string s;
BEGIN { this->n = 8; copyin(0, 1048576); copyin(0, 9999999); }

BEGIN { this->f = (void (*)(int))0; trace(*this->f); }

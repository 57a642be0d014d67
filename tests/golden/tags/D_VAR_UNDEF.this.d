BEGIN { x = this->nosuch; }

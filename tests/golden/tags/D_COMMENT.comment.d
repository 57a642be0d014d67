BEGIN { /*

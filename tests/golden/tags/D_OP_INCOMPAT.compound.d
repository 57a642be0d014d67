BEGIN { a = 3; a += "foobar"; }

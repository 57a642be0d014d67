BEGIN { x = 'abcdefghijk'; }

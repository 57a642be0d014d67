uretprobe:./bin/prog:work /pid == 1/ { }

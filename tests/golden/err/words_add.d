BEGIN { @bytes += arg2; }

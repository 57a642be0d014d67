BEGIN { @n = count(); printa("%@p50", @n); }

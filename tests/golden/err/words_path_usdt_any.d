usdt:../prog:start{ }

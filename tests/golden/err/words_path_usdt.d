usdt:./prog:shop:order__start { @ = count(); }

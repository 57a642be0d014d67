BEGIN /@a = count()/ { }

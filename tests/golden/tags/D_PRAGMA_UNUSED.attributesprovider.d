#pragma D attributes Evolving/Evolving/Common provider p name
BEGIN { }

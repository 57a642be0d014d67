#pragma D attributes Evolving/Common x
BEGIN { }

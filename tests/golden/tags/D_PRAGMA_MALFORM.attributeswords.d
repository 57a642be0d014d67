#pragma D attributes Evolving/Evolving/Common
BEGIN { }

provider p { probe x(); };
#pragma D attributes Evolving/Evolving/Common provider p probe
BEGIN { }

#pragma D attributes Evolving/Evolving/Common nothing
BEGIN { }

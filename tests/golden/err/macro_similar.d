BEGIN { trace($taget); }
BEGIN { trace($count); }

/* @@kernel: */
BEGIN { trace(curlwpsinfo->pr_name[256]); }

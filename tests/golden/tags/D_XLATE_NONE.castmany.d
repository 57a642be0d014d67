/*
 * A fileinfo_t is made from many structures: which of them this number is the address of, nobody
 * can say.
 */
BEGIN { trace(((fileinfo_t *)arg0)->fi_name); }

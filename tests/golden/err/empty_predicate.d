/* A comment where the predicate is empty would hide the clause; other comments stay. */
BEGIN // the first
{ trace(1); }
BEGIN
//
{ trace(2); }
BEGIN /1/ // { }
{ trace(3); }
tick-1s// { not this one either
{ trace(4); }
END//{ trace(5); }

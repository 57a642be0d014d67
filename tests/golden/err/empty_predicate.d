/* A comment where the predicate is empty would hide the clause; other comments stay. */
BEGIN // the first
{ trace(1); }
BEGIN
//
{ trace(2); }
BEGIN /1/ // { }
{ trace(3); }
BEGIN // { trace(4); }
{ trace(5); }
BEGIN
//{ trace(6); }
/1/ { trace(7); }
tick-1s// { trace(8); }
tick-2s { trace(9); }
END//{ trace(10); }

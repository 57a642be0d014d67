BEGIN { x = ; }
struct s { int a };
END { struct s b; nosuch(); }

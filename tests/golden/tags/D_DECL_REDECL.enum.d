enum { A, A };

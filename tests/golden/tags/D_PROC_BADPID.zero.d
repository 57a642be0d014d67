pid0:::entry { }

provider pppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp { probe x(); };
BEGIN { }

pid*:/no/file:main:entry { trace(1); }

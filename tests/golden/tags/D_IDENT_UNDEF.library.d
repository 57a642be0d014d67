BEGIN { trace(SIGKIL); }

"""Live delivery: one hub per web process reads each log once and hands it to everybody who watches."""

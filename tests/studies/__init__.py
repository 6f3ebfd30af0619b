"""Studies for tests and benches: small ones made by hand, and simulated ones whose truth is planted."""

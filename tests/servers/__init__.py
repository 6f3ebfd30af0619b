"""Processes and servers that tests talk to: judges and model servers on loopback, forked commands."""

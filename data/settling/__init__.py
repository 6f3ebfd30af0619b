"""What people decide where labels differ: disagreements, adjudications, notes to the lead and who settles."""

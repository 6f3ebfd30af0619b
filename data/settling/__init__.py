"""What people decide where labels differ: settlements, and answers to notes to the study lead."""

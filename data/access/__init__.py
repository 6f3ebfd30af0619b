"""Who may see and do what in a study, and the record of what they were shown."""

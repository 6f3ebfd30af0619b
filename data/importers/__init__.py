"""Import conversations, judgements, ratings and whole study folders: everything of a file or nothing."""

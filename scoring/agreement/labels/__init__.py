"""Labels as arrays: who labelled what, pairs, and conversations with the same text."""

"""Write data of the store to files for other programs."""

"""The bar at the top of every page: which study, what one can do in it, and who sits here."""

"""The bar at the top of every page: the study, its pages, and the person."""

"""Use cases: what a person does, without a page. Pages, the command line and tests call them."""

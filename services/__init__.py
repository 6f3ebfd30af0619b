"""What a person does: the use cases, without a page. Pages, command line and tests call the same ones."""

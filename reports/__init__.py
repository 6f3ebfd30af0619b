"""What numbers say, for people: reports as documents, their words, pictures, figures and files. Pages show
them, the terminal writes them."""

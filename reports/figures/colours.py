"""Two colours of charts, to be told from each other and from white and from black."""

COLOURS = ("#3f7fc4", "#c46a10")

"""What `verify` looks at, one question a file: the form of the database, the trail and its rows, the texts,
and each projection.
"""

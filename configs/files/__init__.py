"""Safe reading of files that others wrote: regular files only, limited YAML, JSON without doubled keys,
and errors in plain words.
"""

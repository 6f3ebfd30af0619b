"""The agreement report: what a page shows and a file holds, made once for both."""

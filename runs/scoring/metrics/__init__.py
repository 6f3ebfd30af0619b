"""Our own metrics: a file each, with its spec under METRIC. A new file is a new metric."""

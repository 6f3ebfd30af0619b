"""Our own metrics: one file each, with its spec as METRIC."""

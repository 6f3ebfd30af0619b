"""Our own importers: one file each, with its class as IMPORTER."""

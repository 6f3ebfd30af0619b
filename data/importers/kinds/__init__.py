"""Our own importers: a file each, with its class under IMPORTER. A new file is a new importer."""

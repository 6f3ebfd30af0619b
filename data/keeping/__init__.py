"""Keeping a store whole: `verify` and its checks, backup and restore, erasing the words of a conversation."""

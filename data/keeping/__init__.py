"""Keep a store whole: `verify` and its checks, backup and restore, and erasing the words of a
conversation.
"""

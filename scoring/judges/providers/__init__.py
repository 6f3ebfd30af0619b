"""Our own judge providers: a file each, with its class under PROVIDER. A new file is a new provider. The
SDK of a provider is imported when it is first opened.
"""

"""Which labels count, where they differ and what settled them, as rows and as columns for agreement."""

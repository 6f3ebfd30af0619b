"""Which labels count, by unit, by group and as columns; settlements, days, and material for agreement."""

"""Read files of other tools as their profiles in configs/import_profiles say."""

"""Pure rules: values in, values out. No clock, no luck, no settings, no database."""

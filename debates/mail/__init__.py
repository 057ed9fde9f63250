"""Mail: who is written to on which occasion, and in which words. ``debates.services.mail`` hands it over."""

"""Mail: who is written to on which occasion, and in which words. ``debates.services.mail_delivery`` hands it over."""

"""The REST API: what every resource of every app is made of, and the resources of the event."""

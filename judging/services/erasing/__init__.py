"""Taking words away for good, and leaving scores, entries and hashes as they are. What is where, and in which order."""

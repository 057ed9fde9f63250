"""Public pages: each looks a debate up, makes one call for what it shows, and renders it."""

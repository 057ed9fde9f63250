"""What somebody sends who wants a debate, one module for each format."""

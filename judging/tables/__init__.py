"""Open debates without a database: what is asked for, how answers are read, and by what they are known again."""

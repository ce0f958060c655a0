"""A page that walks around on a board of any size, and the local server behind it."""

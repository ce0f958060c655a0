"""Pictures: curves, boards, posters, densities, animations. Arrays in; a matplotlib Figure or a Pillow Image out."""

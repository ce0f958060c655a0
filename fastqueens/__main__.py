"""``python -m fastqueens`` and the console script."""

from fastqueens.cli import main

if __name__ == "__main__":
    main()

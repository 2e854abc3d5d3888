"""`python -m bin` is the same command as `crosscut`."""

from bin.cli import main

if __name__ == "__main__":
    main()

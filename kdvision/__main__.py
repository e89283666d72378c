"""`python -m kdvision` is `kdscore`."""

from kdvision.cli.main import main

if __name__ == "__main__":
    main()

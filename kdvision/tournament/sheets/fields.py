"""Where the photos of a sheet are."""

from pathlib import Path, PurePosixPath, PureWindowsPath


def find_photo(name: str, folder: Path) -> Path:
    r"""The photo that a line names, relative to the folder of the sheet.

    A path as Windows writes it is understood everywhere. A photo of an absolute path that is not
    there is looked for beside the sheet.

    Raises:
        ValueError: It is not there, or no name is given.
    """
    if not name:
        raise ValueError("the photo is missing.")
    windows = PureWindowsPath(name)
    tries = [folder / name, folder / PurePosixPath(name.replace("\\", "/"))]
    if windows.is_absolute() or windows.drive or Path(name).is_absolute():
        tries.append(folder / windows.name)
    for path in tries:
        try:
            if path.is_file():
                return path
        except (OSError, ValueError):
            continue
    raise ValueError(f"there is no photo {name[:200]!r}.")

"""The texts at the foot of every command's help: examples, notation, columns, exit codes."""

from kdvision.errors import ExitCode
from kdvision.rules.scoring import BONUS_CODES

#: What every exit code means; README has the same table.
MEANINGS = {
    ExitCode.SURE: "scored, and sure",
    ExitCode.UNEXPECTED: "an unexpected error, a mistake in kdscore",
    ExitCode.USAGE: "the command, a kingdom line or a sheet is wrong",
    ExitCode.UNREADABLE: "a photo cannot be read",
    ExitCode.NO_KINGDOM: "no kingdom was found",
    ExitCode.MODEL: "a model is missing or damaged",
    ExitCode.DOUBTFUL: "scored, but doubtful",
    ExitCode.DIFFERENT: "a claimed total, or the order of photos, differs from what they show",
    ExitCode.INTERRUPTED: "interrupted",
}


#: Lists and maps keep their lines; other paragraphs are filled to the width.
_KEPT = ("Examples:", "Exit codes:", "- ")


def foot(*paragraphs: str) -> str:
    """Return paragraphs as the foot of a help."""
    return "\n\n".join(
        f"\b\n{paragraph}" if paragraph.startswith(_KEPT) else " ".join(paragraph.split())
        for paragraph in paragraphs
    )


_LINE = """\
A kingdom line writes the rows from the top, joined by /, the places of a row
separated by blanks: W wheat, F forest, L lake, G grassland, S swamp, M mine, each
with its number of crowns (G2); C is the castle, - an empty place."""
_PLACES = """\
Places are named by column letter and row number as on the sheet: b3 is the second
column, third row; z3 lies left of a3, c0 above c1. Of several kingdoms B.b3 is in the
second."""
_SHEET = f"""\
Columns of a sheet: photo; claimed (the total that was counted by hand); player, game,
round; kingdom (A, B, ... as on the overlay); fix (b3=W1 c4=G); accept (photo, claim or
a number); size (5, 7); {", ".join(BONUS_CODES)} (yes, no).
Common synonyms are understood; --column claimed=Points names others. CSV as Excel
writes it, or .xlsx."""
_CODES = "Exit codes:\n" + "\n".join(
    f"{code.value:>5}  {meaning}" for code, meaning in MEANINGS.items()
)

ROOT = foot(
    "Examples:\n"
    "  kdscore table.jpg                  the word score may be left out\n"
    "  kdscore kingdom 'C W1 G/W W -'     score without a photo\n"
    "  kdscore COMMAND --help             options and examples of a command",
    "Every command takes -q (only results and errors) and -v (what is done, how long it\n"
    "takes, and with which models). NO_COLOR=1 turns colours off.",
    "Options that always hold at home stand in a file or in the environment:\n"
    "kdscore config shows them.",
    _CODES,
)
SCORE = foot(
    "Examples:\n"
    "  kdscore table.jpg --overlay marked.jpg --harmony\n"
    "  kdscore table.jpg --fix b3=W1 --fix c4=-\n"
    "  kdscore photos/ --csv > totals.csv",
    _PLACES,
    "With several photos the run goes on after a bad one, and ends with the code that asks\n"
    "most for a person. 0 sure, 3 unreadable, 4 no kingdom, 6 doubtful; kdscore --help has all.",
)
KINGDOM = foot(
    "Examples:\n"
    "  kdscore kingdom 'C W1 G G G/W W G2 - -/S L1 L F -/S L L L1 -/M2 - - - -'\n"
    "  kdscore photo.jpg --json > read.json; kdscore kingdom read.json --harmony",
    _LINE,
)
DUEL = foot(
    "Examples:\n  kdscore duel map.txt --wizard-coat dot\n  kdscore duel ann.txt bob.txt",
    "A whole map, five rows of seven spaces, the castle C in the middle:",
    "- -  D1 D - - -\n- -  -  D E - -\n- Q2 Q  C T - -\n- -  -  K T1 - -\n- -  -  K - - -",
    "D dot, E two dots, S stripe, T two stripes, Q quarters, K black, each with its number of\n"
    "crosses; - for an empty space. Rows on lines of their own, or parted by / on one line.",
)
SERIES = foot(
    "Examples:\n"
    "  kdscore series first.jpg second.jpg third.jpg\n"
    "  kdscore series turns/*.jpg --json",
    "Photos may be taken from any side. What a later photo shows clearly settles doubts of\n"
    "an earlier one.",
    "Ends with 7 when the photos show another order, or not one kingdom; with 6 when a photo\n"
    "is doubtful, or two show the same squares; else 0.",
)
BATCH = foot(
    "Examples:\n"
    "  kdscore batch photos/ -o results.csv --html report.html\n"
    "  kdscore batch evening.csv -o results.csv --harmony",
    _SHEET,
    "Stopped by Ctrl-C, or by anything, the same command goes on where it was.",
)
VERIFY = foot(
    "Examples:\n"
    "  kdscore verify sheet.csv -o checked.csv\n"
    "  kdscore verify sheet.xlsx --html report.html --harmony",
    _SHEET,
    "Ends with 7 when a claim differs, else with 6, 4 or 3 when one cannot be told, else 0.",
)
STANDINGS = foot(
    "Examples:\n"
    "  kdscore standings results.csv\n"
    "  kdscore standings results.csv --players sheet.csv --by wins --csv\n"
    "  kdscore standings results.csv --ties wins,head-to-head,largest,crowns",
    "Takes what batch and verify write, or a table with player and score (and game, round,\n"
    "largest, crowns).",
)
SLIPS = foot(
    "Examples:\n"
    "  kdscore slips sheet.csv -o slips.html\n"
    "  kdscore slips sheet.csv -o slips.html --language de --paper letter\n"
    "  kdscore verify photos/ -o checked.csv  reads the slips: no sheet is needed",
    "Print the page at its full size (100 %), cut the slips, and lay each beside its kingdom in\n"
    "the photo. slips.event.json beside the page knows the names: keep it with the photos.",
)
SERVE = foot(
    "Examples:\n"
    "  kdscore serve                      the page, on this machine only\n"
    "  kdscore serve --host 0.0.0.0 --data evening.sqlite\n"
    "  kdscore serve --host 0.0.0.0 --sheet sheet.csv        a desk of all tables",
    "It runs until Ctrl-C. What was scored stays in the file of --data.",
)
PLAY = foot(
    "Examples:\n"
    "  kdscore play                       a game for two, against the program\n"
    "  kdscore play evening.txt --players 3 --against greedy",
)
CONFIG = foot(
    "Examples:\n"
    "  kdscore config                     every option, and where it is set\n"
    "  KDSCORE_HARMONY=true kdscore config Harmony from the environment",
    "The file is kdscore/config.toml in $XDG_CONFIG_HOME (~/.config), or what KDSCORE_CONFIG\n"
    "names; a line is harmony = true. An option on the command line comes first, then the\n"
    "environment (KDSCORE_SIZE), then the file.",
)
DOCTOR = foot(
    "Examples:\n"
    "  kdscore doctor\n"
    "  KDVISION_MODELS=models/ kdscore doctor    the same with other models",
    "Ends with 5 when a model is missing or damaged.",
)

"""Write the JSON Schema of a result into the package; a test holds the file to the records.

python -m scripts.docs.json_schema
"""

import json

from kdvision.report.json import schema
from scripts.paths import ROOT

PATH = ROOT / "kdvision" / "report" / "kdscore-1.schema.json"


def text() -> str:
    """The schema as the file holds it."""
    return json.dumps(schema(), indent=2) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), "utf-8")

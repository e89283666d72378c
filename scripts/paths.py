"""Where things are in a checkout."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODELS = ROOT / "models"
SAMPLES = ROOT / "samples"
#: Where `make photos` puts what it fetches.
PUBLIC_PICTURES = ROOT / "build" / "public_pictures"

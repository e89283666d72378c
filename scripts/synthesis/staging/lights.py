"""The light that the photos of `samples/` are taken in."""

from scripts.synthesis.staging.shot import Light

DAY = Light(gains=(1.0, 1.0, 1.02), sun=(0.5, 0.7), slope=0.22, slope_from=205)
WINDOW = Light(gains=(0.98, 1.0, 1.06), sun=(0.9, 0.3), slope=0.3, slope_from=180)
EVENING = Light(gains=(1.1, 1.0, 0.86), sun=(-0.5, 0.6), slope=0.24, slope_from=-40)
LAMP = Light(
    gains=(1.3, 1.0, 0.62), sun=(-0.7, 0.35), shadow=0.45, slope=0.5, slope_from=-35, vignette=0.4
)

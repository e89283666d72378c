"""Contrast of text on a page, measured in the browser (WCAG 2.2, 1.4.3)."""

from tests.support.browser import Browser

#: Asked of all text but that of very large letters; we ask it of those as well.
LEAST = 4.5

_SCRIPT = """
const parse = (colour) => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const drawing = canvas.getContext('2d');
  drawing.fillStyle = colour;
  drawing.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = drawing.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
};
const over = ([r, g, b, a], under) => [r, g, b].map((one, at) => one * a + under[at] * (1 - a));
const light = (rgb) => {
  const [r, g, b] = rgb.map((one) => {
    const part = one / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (element) => {
  const layers = [];
  for (let one = element; one; one = one.parentElement) {
    layers.push(parse(getComputedStyle(one).backgroundColor));
  }
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  const dark = matchMedia('(prefers-color-scheme: dark)').matches && scheme.includes('dark');
  const paper = dark ? [18, 18, 18] : [255, 255, 255];
  return layers.reduceRight((under, layer) => over(layer, under), paper);
};
const found = [];
for (const element of document.body.querySelectorAll('*')) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const field = element.matches('input:not([type=file]):not([type=checkbox]), select');
  if (!(own || field) || element.closest('svg') || element.matches(':disabled, option')) continue;
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
  const under = behind(element);
  const text = over(parse(getComputedStyle(element).color), under);
  const [bright, dim] = [light(text), light(under)].sort((one, other) => other - one);
  const ratio = (bright + 0.05) / (dim + 0.05);
  const name = `${element.tagName}.${element.className}`;
  found.push([name, (element.textContent || '').slice(0, 40), ratio]);
}
return found;
"""


def weak_texts(browser: Browser, least: float = LEAST) -> list[str]:
    """What is written on the page with less contrast than there must be.

    Raises:
        AssertionError: There is no text at all, so that nothing was measured.
    """
    found = browser.run(_SCRIPT)
    assert found, "the page has no text"
    return [f"{name} {text!r}: {ratio:.2f}" for name, text, ratio in found if ratio < least]

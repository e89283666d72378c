// Where the squares of a kingdom lie in its photo, by the four corners of its box.

// The projective map that takes (0,0), (1,0), (1,1), (0,1) to four points.
function unitMap([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const dx1 = x1 - x2, dx2 = x3 - x2, dy1 = y1 - y2, dy2 = y3 - y2;
  const sx = x0 - x1 + x2 - x3, sy = y0 - y1 + y2 - y3;
  const area = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / area, h = (dx1 * sy - sx * dy1) / area;
  const a = x1 - x0 + g * x1, b = x3 - x0 + h * x3;
  const d = y1 - y0 + g * y1, e = y3 - y0 + h * y3;
  return (u, v) => {
    const w = g * u + h * v + 1;
    return [(a * u + b * v + x0) / w, (d * u + e * v + y0) / w];
  };
}

// From (row, col) of a kingdom, whole numbers at the corners of squares, to pixels of its photo.
export function placing(kingdom) {
  const rows = 1 + Math.max(...kingdom.squares.map((square) => square.row));
  const cols = 1 + Math.max(...kingdom.squares.map((square) => square.col));
  const map = unitMap(kingdom.corners);
  return { rows, cols, at: (row, col) => map(col / cols, row / rows) };
}

export function corners(place, row, col) {
  return [[row, col], [row, col + 1], [row + 1, col + 1], [row + 1, col]].map(([r, c]) =>
    place.at(r, c));
}

// b3: the name of a place as fixes write it, counted from the first reading. The column left of a
// is z, the row above 1 is 0.
export function placeName(kingdom, row, col) {
  const [down, right] = kingdom.origin;
  return String.fromCharCode(97 + (26 + col + right) % 26) + (row + down + 1);
}

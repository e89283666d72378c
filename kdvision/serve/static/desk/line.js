// One line of a table: what was claimed, what was read, and the photo with the mistake between.

import { button, make, makeSvg, text } from "../dom.js";
import { ask } from "../net.js";

// Of more explanations than this the claim tells nothing.
const MOST_SHOWN = 3;
// The two taps of a double tap are no further apart; phones take 300 ms, desks at most 500.
const DOUBLE_TAP_MS = 500;
// A sign beside every colour.
export const SIGNS = { waiting: "…", agrees: "✓", differs: "≠", look: "?", settled: "✓" };

export const letterAt = (index) => String.fromCharCode(65 + index);

// "Round 1, table 3", of what is there.
export function placeText(round, table) {
  const key = !round ? "desk.place.table" : table ? "desk.place" : "desk.place.round";
  return text(key, { round, table });
}

export const badge = (state) =>
  make("span", { class: `badge ${state}` }, `${SIGNS[state]} ${text(`desk.state.${state}`)}`);

export const stateOf = (line) => (line.accepted ? "settled" : line.state);

export const flagTexts = (line) => line.flags.map(({ flag, text: said }) =>
  text(`desk.flag.${flag}`, { text: said }));

export function totalOf(line) {
  if (!line.accepted) return line.read;
  if (line.accepted.what === "number") return line.accepted.total;
  return line.accepted.what === "photo" ? line.read : line.claimed;
}

// Two taps: the first says what the second will do. The second tap of a double tap does nothing.
export function twice(content, question, act) {
  const made = button(content, async () => {
    if (!made.dataset.asked) {
      const asked = question();
      if (!asked) return;
      made.dataset.asked = "yes";
      made.textContent = asked;
      made.classList.remove("quiet");
      made.ariaDisabled = "true";
      setTimeout(() => { made.ariaDisabled = null; }, DOUBLE_TAP_MS);
      return;
    }
    if (made.ariaDisabled) return;
    made.disabled = true;
    await act();
  });
  return made;
}

// What a line says beside its photo: its state, both totals, flags, and what explains a difference.
export function summary(line) {
  const read = line.read ?? text(line.photo ? "desk.not-read" : "desk.no-photo");
  const sums = make("dl", { class: "sums" },
    make("dt", {}, text("desk.claimed")), make("dd", {}, `${line.claimed ?? text("desk.no-claim")}`),
    make("dt", {}, text("desk.read")), make("dd", {}, `${read}`));
  const said = flagTexts(line).map((flag) => make("p", { class: "flag" }, flag));
  if (line.accepted) {
    said.unshift(make("p", {}, text("desk.accepted", { n: totalOf(line), by: line.accepted.by })));
  }
  return [badge(stateOf(line)), sums, ...said, ...explanation(line)];
}

function explanation(line) {
  const parts = [];
  if (line.verdict === "differs" && line.difference) {
    const key = line.difference > 0 ? "desk.too-many" : "desk.too-few";
    parts.push(make("p", {}, text(key, { n: Math.abs(line.difference) })));
  }
  if (line.mistakes.length > 1) parts.push(make("p", {}, text("desk.several")));
  const said = line.mistakes.slice(0, MOST_SHOWN).map((mistake) => mistake.text);
  if (!said.length && line.message && line.verdict !== "agrees") said.push(line.message);
  if (said.length) parts.push(make("ul", {}, ...said.map((one) => make("li", {}, one))));
  return parts;
}

// ---------------------------------------------------------------- the photo

const points = (corners) => corners.map((at) => at.join(",")).join(" ");

// A photo with what was read drawn over it and the likeliest mistakes marked; its kingdoms can be
// tapped where `tapped` takes their letters.
export function photoFrame(photo, lines, tapped = null) {
  const [width, height] = photo.photo_size;
  const picture = makeSvg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": tapped ? null : "true" });
  photo.kingdoms.forEach((kingdom, index) => {
    if (!tapped) return;
    const letter = letterAt(index);
    const tap = () => tapped(letter);
    picture.append(makeSvg("polygon", {
      points: points(kingdom.corners), class: "area", role: "button", tabindex: 0, click: tap,
      keydown: (event) => { if ([" ", "Enter"].includes(event.key)) tap(); },
      "aria-label": text("desk.kingdom-total", { letter, n: kingdom.score }),
    }));
  });
  for (const line of lines) {
    const cells = line.verdict === "differs" ? line.mistakes[0]?.cells ?? [] : [];
    const kingdom = photo.kingdoms[line.letter ? line.letter.charCodeAt(0) - 65 : 0] ?? photo.kingdoms.at(-1);
    const square = squaresOf(kingdom);
    picture.append(...cells.map(([row, col]) =>
      makeSvg("polygon", { points: points(square(row, col)), class: "mistake" })));
  }
  const image = photo.kept
    ? make("img", { src: `/api/photos/${photo.id}/overlay`, alt: text("desk.read-of"), width, height }) : null;
  return make("div", { class: "shown" }, image, picture);
}

// The corners of squares of a kingdom in its photo, in pixels, by the four corners of its box.
function squaresOf({ squares, corners: [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] }) {
  const rows = 1 + Math.max(...squares.map((square) => square.row));
  const cols = 1 + Math.max(...squares.map((square) => square.col));
  // The projective map that takes (0,0), (1,0), (1,1), (0,1) to the corners.
  const dx1 = x1 - x2, dx2 = x3 - x2, dy1 = y1 - y2, dy2 = y3 - y2;
  const sx = x0 - x1 + x2 - x3, sy = y0 - y1 + y2 - y3;
  const area = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / area, h = (dx1 * sy - sx * dy1) / area;
  const a = x1 - x0 + g * x1, b = x3 - x0 + h * x3;
  const d = y1 - y0 + g * y1, e = y3 - y0 + h * y3;
  const at = (row, col) => {
    const u = col / cols, v = row / rows, w = g * u + h * v + 1;
    return [(a * u + b * v + x0) / w, (d * u + e * v + y0) / w];
  };
  return (row, col) => [at(row, col), at(row, col + 1), at(row + 1, col + 1), at(row + 1, col)];
}

export const photoOf = (line) => ask("GET", `/api/photos/${line.photo}`);

// The photo with its squares as buttons over it, a "+" on every side, and the totals.

import { corners, placeName, placing } from "../geometry.js";
import { faceName, faceOf } from "./faces.js";
import { text } from "./texts.js";

const MOST_SIDE = 7;
const SVG = "http://www.w3.org/2000/svg";
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const SIDES = ["top", "left", "right", "bottom"];
// Below this probability a square of a doubtful kingdom was hardly read.
const HARDLY_READ = 0.8;
// Letters of a player's name beside the total.
const MOST_LETTERS = 12;
// No more of the surroundings than this part of the photo is shown beside it.
const MOST_BESIDE = 0.3;

export const letter = (index) => String.fromCharCode(65 + index);

// A.b3: the name of a place in the photo, as corrections are sent.
export const fullName = (kingdom, index, row, col) =>
  `${letter(index)}.${placeName(kingdom, row, col)}`;

// The name as people see it: without a letter where there is one kingdom.
export const shownName = (photo, place) =>
  photo.kingdoms.length > 1 ? place : place.replace(/^A\./, "");

// The squares on which the total hangs, and those that were hardly read.
export function doubtful(kingdom) {
  if (kingdom.status === "sure") return new Set();
  const named = kingdom.alternatives.flatMap((one) => one.squares);
  const weak = kingdom.squares.filter((square) => square.probability < HARDLY_READ);
  return new Set([...named, ...weak].map((square) => `${square.row},${square.col}`));
}

// The best total, where every kingdom of the photo has one.
export function bestOf(photo) {
  const known = photo.kingdoms.length > 1 && photo.kingdoms.every((kingdom) => kingdom.scored);
  return known ? Math.max(...photo.kingdoms.map((kingdom) => kingdom.score)) : null;
}

export function totalText(kingdom) {
  if (!kingdom.scored) return "–";
  return `${kingdom.score}${kingdom.status === "sure" ? "" : "?"}`;
}

function element(name, attributes, content = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = content;
  return made;
}

function button(points, kind, label, act) {
  const made = element("polygon", {
    points: points.map((point) => point.join(",")).join(" "), class: kind, role: "button",
    tabindex: "-1", "aria-label": label,
  });
  made.addEventListener("click", act);
  return made;
}

// Draw all kingdoms.
//   view.names: players' names by the letter of their kingdom
//   view.grown: rows and columns beside a kingdom that are shown as well, by its letter
//   view.choose(index, row, col), view.grow(index, side): what a tap does
export function drawPicture(svg, photo, view) {
  const layers = photo.kingdoms.map((kingdom, index) => layersOf(photo, kingdom, index, view));
  // What is to be tapped first lies on top: no "+" covers a square of the kingdom beside it.
  svg.replaceChildren(
    ...layers.map((one) => one.sides), ...layers.map((one) => one.cells),
    ...layers.map((one) => one.total),
  );
  fit(svg, photo, layers.flatMap((one) => one.points));
  svg.onkeydown = (event) => onKey(svg, event);
}

function layersOf(photo, kingdom, index, view) {
  const place = placing(kingdom);
  const most = photo.options.size ?? MOST_SIDE;
  const shown = extent(place, kingdom, view.grown[letter(index)]);
  const name = text("kingdom", { letter: letter(index) });
  const cells = element("g", {
    role: "group", "aria-label": `${name}: ${totalText(kingdom)}`, "data-kingdom": letter(index),
  });
  const drawn = drawCells(photo, place, index, shown, view);
  cells.append(...drawn);
  (drawn.find((cell) => cell.classList.contains("doubt")) ?? drawn[0]).setAttribute("tabindex", "0");
  const sides = element("g", { role: "group", "aria-label": name });
  const points = [];
  for (const side of SIDES) {
    const rows = shown.bottom - shown.top + 1, cols = shown.right - shown.left + 1;
    if ((side === "top" || side === "bottom" ? rows : cols) >= most) continue;
    const around = besides(place, shown, side);
    const [x, y] = middle(around);
    const label = text(`grow${side}`, { letter: letter(index) });
    const plus = button(around, "plus", label, () => view.grow(index, side));
    plus.setAttribute("tabindex", "0");
    plus.dataset.side = side;
    sides.append(plus);
    const size = Math.hypot(around[1][0] - around[0][0], around[1][1] - around[0][1]);
    sides.append(element("text", { x, y, class: "sign", "font-size": size * 0.6 }, "+"));
    points.push(...around);
  }
  const outline = [[shown.top, shown.left], [shown.top, shown.right + 1],
    [shown.bottom + 1, shown.right + 1], [shown.bottom + 1, shown.left]];
  points.push(...outline.map(([row, col]) => place.at(row, col)));
  const total = drawTotal(photo, index, view.names[letter(index)], points);
  points.push(total.top);
  return { cells, sides, total: total.drawn, points };
}

// The rows and columns that are shown, counted from the kingdom's own box.
function extent(place, kingdom, grown) {
  const [down, right] = kingdom.origin;
  const box = { top: 0, left: 0, bottom: place.rows - 1, right: place.cols - 1 };
  if (!grown) return box;
  return {
    top: Math.min(box.top, grown.top - down), left: Math.min(box.left, grown.left - right),
    bottom: Math.max(box.bottom, grown.bottom - down),
    right: Math.max(box.right, grown.right - right),
  };
}

// The rows and columns of a kingdom with one more on a side, counted from the first reading.
export function grownBy(kingdom, grown, side) {
  const shown = extent(placing(kingdom), kingdom, grown);
  shown[side] += side === "top" || side === "left" ? -1 : 1;
  const [down, right] = kingdom.origin;
  return {
    top: shown.top + down, left: shown.left + right, bottom: shown.bottom + down,
    right: shown.right + right,
  };
}

function drawCells(photo, place, index, shown, view) {
  const kingdom = photo.kingdoms[index];
  const asks = doubtful(kingdom);
  const known = new Map(kingdom.squares.map((square) => [`${square.row},${square.col}`, square]));
  const drawn = [];
  for (let row = shown.top; row <= shown.bottom; row++) {
    for (let col = shown.left; col <= shown.right; col++) {
      const square = known.get(`${row},${col}`);
      const doubt = asks.has(`${row},${col}`);
      const name = fullName(kingdom, index, row, col);
      const called = shownName(photo, name);
      const label = square ? `${called}: ${faceName(faceOf(square))}`
        : text("added", { place: called });
      const kind = `cell ${square?.terrain ?? "empty added"}${doubt ? " doubt" : ""}`;
      const cell = button(corners(place, row, col), kind,
        doubt ? `${label}, ${text("notSure")}` : label, () => view.choose(index, row, col));
      Object.assign(cell.dataset, { at: `${row},${col}`, place: name });
      drawn.push(cell);
    }
  }
  return drawn;
}

// The square beside the middle of a side.
function besides(place, shown, side) {
  const row = side === "top" ? shown.top - 1 : shown.bottom + 1;
  const col = side === "left" ? shown.left - 1 : shown.right + 1;
  const acrossRow = (shown.top + shown.bottom) / 2, acrossCol = (shown.left + shown.right) / 2;
  const at = side === "top" || side === "bottom" ? [row, acrossCol] : [acrossRow, col];
  return corners(place, ...at);
}

const middle = (points) => [0, 1].map((axis) =>
  points.reduce((sum, point) => sum + point[axis], 0) / points.length);

// The total, above the highest of the points of a kingdom and of its sides.
function drawTotal(photo, index, name, points) {
  const kingdom = photo.kingdoms[index];
  const size = Math.max(...photo.photo_size) / 22;
  const leads = kingdom.score === bestOf(photo) ? "♛ " : "";
  const who = name ? `${name.slice(0, MOST_LETTERS)} `
    : photo.kingdoms.length > 1 ? `${letter(index)} ` : "";
  const highest = Math.min(...points.map(([, y]) => y));
  const near = points.filter(([, y]) => y < highest + size);
  const [x] = middle(near);
  const at = { x, y: highest - size * 0.25, "font-size": size, class: "total" };
  const drawn = element("text", { ...at, "aria-hidden": "true" }, `${leads}${who}${totalText(kingdom)}`);
  drawn.dataset.total = totalText(kingdom);
  return { drawn, top: [x, highest - size * 1.2] };
}

// Make room for what lies beside the photo, and let the picture and the buttons agree.
function fit(svg, photo, points) {
  const [width, height] = photo.photo_size;
  const within = (value, length) =>
    Math.min(Math.max(value, -MOST_BESIDE * length), (1 + MOST_BESIDE) * length);
  const xs = points.map(([x]) => within(x, width)), ys = points.map(([, y]) => within(y, height));
  const left = Math.min(0, ...xs), top = Math.min(0, ...ys);
  const wide = Math.max(width, ...xs) - left, high = Math.max(height, ...ys) - top;
  svg.setAttribute("viewBox", `${left} ${top} ${wide} ${high}`);
  svg.parentElement.style.aspectRatio = `${wide} / ${high}`;
  const picture = svg.parentElement.querySelector("img");
  Object.assign(picture.style, {
    left: `${-100 * left / wide}%`, top: `${-100 * top / high}%`, width: `${100 * width / wide}%`,
  });
}

// Arrow keys go from square to square, Enter and the space bar tap.
function onKey(svg, event) {
  const from = event.target;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    from.dispatchEvent(new MouseEvent("click"));
  }
  if (!(event.key in ARROWS) || !from.dataset.at) return;
  event.preventDefault();
  const [row, col] = from.dataset.at.split(",").map(Number);
  const [down, right] = ARROWS[event.key];
  const next = from.parentElement.querySelector(`[data-at="${row + down},${col + right}"]`);
  if (!next) return;
  from.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}

// Put the focus on a square, which then is the one that the Tab key reaches.
export function focusOn(svg, place) {
  const cell = svg.querySelector(`[data-place="${CSS.escape(place)}"]`);
  if (!cell) return;
  for (const other of cell.parentElement.querySelectorAll(".cell")) {
    other.setAttribute("tabindex", "-1");
  }
  cell.setAttribute("tabindex", "0");
  cell.focus();
}

// Light squares of a kingdom up, and no others; without cells none.
export function lightUp(svg, index, cells = []) {
  const lit = new Set(cells.map(([row, col]) => `${row},${col}`));
  for (const group of svg.querySelectorAll("[data-kingdom]")) {
    const mine = group.dataset.kingdom === letter(index);
    for (const cell of group.querySelectorAll(".cell")) {
      cell.classList.toggle("lit", mine && lit.has(cell.dataset.at));
    }
  }
}

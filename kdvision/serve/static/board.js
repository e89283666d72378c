// The photo with its squares as buttons over it.

import { corners, placeName, placing } from "./geometry.js";
import { text } from "./texts.js";

const LETTERS = { wheat: "W", forest: "F", lake: "L", grassland: "G", swamp: "S", mine: "M" };
const MOST_SIDE = 7;
const SVG = "http://www.w3.org/2000/svg";

export const letter = (index) => String.fromCharCode(65 + index);

export function faceOf(square) {
  if (square.terrain === "empty") return "-";
  if (square.terrain === "castle") return "C";
  return LETTERS[square.terrain] + (square.crowns || "");
}

export function faceName(face) {
  if (face === "-") return text("empty");
  if (face === "C") return text("castle");
  const terrain = Object.keys(LETTERS).find((name) => LETTERS[name] === face[0]);
  return face.length > 1 ? `${text(terrain)}, ${text("crowns", { n: face[1] })}` : text(terrain);
}

// The squares on which the total hangs, and those that were hardly read.
export function doubtful(kingdom) {
  if (kingdom.status === "sure") return new Set();
  const named = kingdom.alternatives.flatMap((one) => one.squares);
  const weak = kingdom.squares.filter((square) => square.probability < 0.8);
  return new Set([...named, ...weak].map((square) => `${square.row},${square.col}`));
}

// The faces that a square may have, the likeliest first: what was read, then what alternatives say.
export function likely(kingdom, row, col) {
  const here = (square) => square.row === row && square.col === col;
  const read = kingdom.squares.filter(here).map(faceOf);
  const others = kingdom.alternatives.flatMap((one) => one.squares.filter(here).map(faceOf));
  return [...new Set([...read, ...others])].slice(0, 3);
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
    tabindex: "0", "aria-label": label,
  });
  made.addEventListener("click", act);
  made.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      act();
    }
  });
  return made;
}

// Draw all kingdoms; `choose(index, row, col, middle)` is called when a square is tapped.
export function drawBoard(svg, photo, choose) {
  const [width, height] = photo.photo_size;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  const best = Math.max(...photo.kingdoms.map((kingdom) => kingdom.score));
  photo.kingdoms.forEach((kingdom, index) => {
    const place = placing(kingdom);
    const asks = doubtful(kingdom);
    const group = element("g", { "data-kingdom": letter(index) });
    const put = (row, col, kind, label) => {
      const points = corners(place, row, col);
      const square = button(points, kind, label, () =>
        choose(index, row, col, place.at(row + 0.5, col + 0.5)));
      square.dataset.at = `${row},${col}`;
      group.append(square);
      return points;
    };
    for (const square of kingdom.squares) {
      const { row, col } = square;
      const doubt = asks.has(`${row},${col}`);
      const said = [placeName(kingdom, row, col), faceName(faceOf(square))];
      if (doubt) said.push(text("notSure"));
      put(row, col, `cell ${square.terrain}${doubt ? " doubt" : ""}`, said.join(" "));
    }
    for (const [row, col] of around(place, kingdom)) {
      const points = put(row, col, "plus", `${placeName(kingdom, row, col)} ${text("add")}`);
      const [x, y] = place.at(row + 0.5, col + 0.5);
      const size = Math.hypot(points[1][0] - points[0][0], points[1][1] - points[0][1]);
      group.append(element("text", { x, y, class: "sign", "font-size": size * 0.5 }, "+"));
    }
    group.append(total(place, kingdom, Math.max(width, height), photo.kingdoms.length > 1, best));
    svg.append(group);
  });
}

// Places right of a kingdom and below it, as far as a kingdom can reach.
function* around(place, kingdom) {
  const [down, right] = kingdom.origin;
  if (place.cols + right < MOST_SIDE) {
    for (let row = 0; row < place.rows; row++) yield [row, place.cols];
  }
  if (place.rows + down < MOST_SIDE) {
    for (let col = 0; col < place.cols; col++) yield [place.rows, col];
  }
}

function total(place, kingdom, side, several, best) {
  const [x, y] = place.at(0, place.cols / 2);
  const size = side / 22;
  const crown = several && kingdom.score === best ? "♛ " : "";
  const shown = `${crown}${kingdom.score}${kingdom.status === "sure" ? "" : "?"}`;
  const at = { x, y: Math.max(y - size * 0.4, size), "font-size": size, class: "total" };
  return element("text", at, shown);
}

export function lightUp(svg, index, cells) {
  const lit = new Set(cells.map(([row, col]) => `${row},${col}`));
  for (const group of svg.querySelectorAll("g")) {
    const mine = group.dataset.kingdom === letter(index);
    for (const cell of group.querySelectorAll(".cell")) {
      cell.classList.toggle("lit", mine && lit.has(cell.dataset.at));
    }
  }
}

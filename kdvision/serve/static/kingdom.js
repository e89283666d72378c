// One kingdom: its board, its sum, what is doubtful, and the dialog of a square.

import { confirmTotal, fix, place as give } from "./changes.js";
import { openDialog } from "./dialogs.js";
import { $, boardOf, button, faceMark, faceName, letterOf, make, nameOf, redraw, text } from "./dom.js";
import { byRank } from "./game.js";
import { game as shownGame, isSaving, memory, shown as shownOf } from "./memory.js";
import { draw } from "./news.js";

/** @type {Record<string, number[]>} */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
// So much of its surroundings the dialog shows on each side of a square, in squares.
const AROUND = 0.3;

// The kingdoms of the game that is shown, those of its seats by rank first.
function listKingdoms() {
  const game = shownGame(), seats = game.seats.filter((seat) => seat.photo && seat.letter);
  seats.sort(byRank);
  const seated = seats.map((seat) => ({ place: `${seat.photo}/${seat.letter}`, name: nameOf(seat) }));
  const rest = game.unassigned.map(({ photo, letter }) => ({ place: `${photo}/${letter}`, name: text("page.kingdom") }));
  return [...seated, ...rest];
}

// The next kingdom (step 1), or the one before (-1): its name and address; null where there is no other.
/** @type {(at: string[], step: number) => { name: string, href: string } | null} */
export function neighbourOf([photo, letter], step) {
  const kingdoms = listKingdoms(), at = kingdoms.findIndex(({ place }) => place === `${photo}/${letter}`);
  if (at < 0 || kingdoms.length < 2) return null;
  const { place, name } = kingdoms[(at + step + kingdoms.length) % kingdoms.length];
  return { name, href: `#kingdom/${place}` };
}

// Draw a kingdom of a photo; `seat` is whose it is, null for nobody's.
/** @type {(photo: Photo, letter: string, seat: Seat | null) => void} */
export function drawKingdom(photo, letter, seat) {
  const at = photo.views.findIndex((view) => view.letter === letter);
  const view = photo.views[at], kingdom = photo.kingdoms[at];
  const name = `${photo.id}.${letter}`;
  if (memory.kingdom !== name) Object.assign(memory, { kingdom: name, lit: "", adding: false });
  $("edges").setAttribute("aria-pressed", String(memory.adding));
  drawBoard(photo, view, kingdom);
  drawSum(photo, kingdom, view, seat);
  drawTerritories(kingdom);
  // What is said of the whole photo, such as what was left out of it, and what breaks the rules.
  const notes = [...photo.notes.filter((note) => note !== view.doubt), ...view.problems];
  $("problems").replaceChildren(...notes.map((sentence) => make("p", {}, sentence)));
  drawDoubt(photo, kingdom, view, seat);
  drawOwner(photo, letter, seat);
  drawPhotos(seat, photo, letter);
  $("delete").textContent = text("page.delete-photo", { n: photo.views.length });
  const next = neighbourOf([photo.id, letter], 1);
  if (next) {
    Object.assign($("next"), { href: next.href, textContent: "›", ariaLabel: text("page.next", { player: next.name }) });
  }
}

// Whether nothing is open: the total is sure, or a person settled it.
/** @type {(kingdom: Kingdom, seat: Seat | null) => boolean} */
const isClear = (kingdom, seat) => kingdom.status === "sure" || Boolean(seat && seat.settled !== null);

// What stands beside a total: that it is settled or sure, or which other totals there may be.
/** @type {(kingdom: Kingdom, view: View, seat: Seat | null) => string} */
function certaintyOf(kingdom, view, seat) {
  if (seat && seat.settled !== null) return text("page.is-settled", { total: seat.counts });
  if (kingdom.status === "sure") return text("page.sure");
  const others = view.others.filter((total) => total !== kingdom.score);
  return others.length ? text("page.doubtful-or", { totals: others.join(", ") }) : text("page.doubtful");
}

/** @type {(photo: Photo, kingdom: Kingdom, view: View, seat: Seat | null) => void} */
function drawSum(photo, kingdom, view, seat) {
  const clear = isClear(kingdom, seat);
  const isChanged = view.cells.some((cell) => isSaving(`square.${photo.id}.${cell.place}`));
  $("sum").className = isChanged ? "saving" : "";
  $("sum").replaceChildren(make("strong", { id: "kingdom-total" }, `${kingdom.score}${clear ? "" : "?"}`),
    make("span", { class: clear ? "sure" : "doubtful" }, certaintyOf(kingdom, view, seat)));
}

// One sentence of doubt, and within reach of a thumb what settles it.
/** @type {(photo: Photo, kingdom: Kingdom, view: View, seat: Seat | null) => void} */
function drawDoubt(photo, kingdom, view, seat) {
  $("doubt").hidden = isClear(kingdom, seat);
  $("doubt-text").textContent = view.doubt;
  $("right").hidden = !Object.keys(view.fixes).length && !(seat && memory.evening.organiser);
  // Where a place beside the kingdom is in doubt, a tile may lie there that nobody sees in the photo.
  const isBeside = view.cells.some((cell) => !cell.inside && cell.doubtful);
  $("right").className = isBeside ? "quiet last" : "";
  $("right").onclick = () => confirmTotal(photo, view, kingdom.score, seat);
}

/** @type {(photo: Photo, letter: string, seat: Seat | null) => void} */
function drawOwner(photo, letter, seat) {
  const game = shownGame(), placed = { photo: photo.id, letter };
  const options = game.seats.filter((owner) => !game.sheet || owner.player).map((owner) =>
    make("option", { value: owner.colour, selected: owner.colour === seat?.colour }, nameOf(owner)));
  $("whose").replaceChildren(make("option", { value: "nobody", selected: !seat }, text("page.nobody")), ...options);
  $("whose").onchange = () => {
    const colour = $("whose").value, given = game.seats.find((owner) => owner.colour === colour);
    give(given ? text("page.given", { player: nameOf(given) }) : text("page.given-nobody"), placed, colour);
  };
}

// Other photos of the same kingdom.
/** @type {(seat: Seat | null, photo: Photo, letter: string) => void} */
function drawPhotos(seat, photo, letter) {
  const copies = (seat?.photos ?? []).filter(([id, name]) => id !== photo.id || name !== letter);
  $("other-photos").replaceChildren(...copies.map(([id, name], at) =>
    make("a", { href: `#kingdom/${id}/${name}` }, text("page.other-photo", { n: at + 1 }))));
}

// ---- the board

/** @type {(photo: Photo, view: View, kingdom: Kingdom) => void} */
function drawBoard(photo, view, kingdom) {
  const board = $("board"), picture = $("picture");
  const shown = view.cells.filter((cell) => cell.inside || memory.adding || cell.doubtful)
    .map((cell) => withChanges(photo, cell));
  // The part of the board that is shown.
  const top = Math.min(...shown.map((cell) => cell.row)), left = Math.min(...shown.map((cell) => cell.col));
  const rows = Math.max(...shown.map((cell) => cell.row)) - top + 1;
  const cols = Math.max(...shown.map((cell) => cell.col)) - left + 1;
  board.style.setProperty("--rows", rows);
  board.style.setProperty("--cols", cols);
  // The picture, of which more lies around that part.
  Object.assign(picture.style, {
    width: `${100 * (view.cols + 2) / cols}%`, left: `${-100 * (1 + left) / cols}%`,
    top: `${-100 * (1 + top) / rows}%`,
  });
  $("photo").href = `/api/photos/${photo.id}/picture`;
  const source = boardOf({ photo: photo.id, letter: view.letter, kingdom: kingdom.kingdom });
  if (picture.getAttribute("src") !== source) picture.src = source;
  // The squares, of which one is reached by the tab key.
  const focused = board.querySelector(":focus")?.dataset.place ?? "";
  const first = focused || shown.find((cell) => cell.doubtful)?.place || shown[0].place;
  const cells = shown.map((cell) => {
    const made = cellButton(photo, view, cell, cell.place === first ? 0 : -1);
    made.style.gridArea = `${cell.row - top + 1} / ${cell.col - left + 1}`;
    return made;
  });
  const [letters, numbers] = nameEdges(shown, top, left);
  board.replaceChildren(picture, ...letters, ...numbers, ...cells);
  if (focused) focusOn(focused);
}

// A square with what was changed here and is not saved yet.
/** @type {(photo: Photo, cell: Cell) => Cell} */
function withChanges(photo, cell) {
  const key = `square.${photo.id}.${cell.place}`, saving = isSaving(key);
  return { ...cell, face: shownOf(key, cell.face) ?? cell.face, doubtful: cell.doubtful && !saving, saving };
}

/** @type {(photo: Photo, view: View, cell: Cell, tabindex: number) => any} */
function cellButton(photo, view, cell, tabindex) {
  const isThere = cell.inside || cell.saving, isLit = cell.inside && memory.lit.includes(` ${cell.row},${cell.col} `);
  const kinds = ["cell", isThere ? "" : "add", cell.doubtful ? "doubtful" : "", cell.saving ? "saving" : "",
    isLit ? "lit" : ""];
  let words = "page.cell";
  if (cell.doubtful) words = "page.cell-doubtful";
  if (!cell.inside) words = "page.cell-add";
  const made = button(null, () => openSquare(photo, view, cell), {
    class: kinds.filter(Boolean).join(" "), "data-place": cell.place, "data-at": `${cell.row},${cell.col}`, tabindex,
    "aria-label": text(words, { place: cell.name, face: faceName(cell.face) }),
  });
  made.append(isThere ? faceMark(cell.face) : "+");
  return made;
}

// The letters of the columns and the numbers of the rows, as sentences name squares.
/** @type {(shown: Cell[], top: number, left: number) => any[][]} */
function nameEdges(shown, top, left) {
  /** @type {(axis: "row" | "col", first: number, pattern: RegExp) => any[]} */
  const edge = (axis, first, pattern) => {
    const names = new Map(shown.map((cell) => [cell[axis], cell.name.match(pattern)?.[0] ?? ""]));
    return [...names].map(([at, words]) => {
      const made = make("span", { class: `edge ${axis}`, "aria-hidden": "true" }, words);
      const place = at - first + 1;
      made.style.gridArea = axis === "col" ? `1 / ${place}` : `${place} / 1`;
      return made;
    });
  };
  return [edge("col", left, /^[a-z]+/), edge("row", top, /\d+$/)];
}

// Arrow keys go from square to square.
/** @type {(event: any) => void} */
export function onKey(event) {
  const from = event.target;
  if (!(event.key in ARROWS) || !from.dataset.at) return;
  event.preventDefault();
  const [row, col] = from.dataset.at.split(",").map(Number);
  const [down, right] = ARROWS[event.key];
  const next = $("board").querySelector(`[data-at="${row + down},${col + right}"]`);
  if (next) focusOn(next.dataset.place);
}

/** @type {(place: string) => void} */
const focusOn = (place) =>
  $("board").querySelector(`[data-place="${CSS.escape(place)}"]`)?.focus({ preventScroll: true });

// ---- the sum

/** @type {(kingdom: Kingdom) => void} */
function drawTerritories({ territories, bonuses }) {
  redraw($("territories"), [territories, bonuses, memory.lit], () => {
    const lines = territories.filter(({ points }) => points).map(territoryLine);
    for (const { code, earned, points } of bonuses.filter(({ counted }) => counted)) {
      lines.push(plainLine("page.bonus", { bonus: `bonus.${code}`, points: earned ? points : 0 }));
    }
    const squares = territories.reduce((sum, { points, squares: more }) => sum + (points ? 0 : more), 0);
    if (squares) lines.push(plainLine("page.worthless", { squares }));
    return lines;
  });
}

/** @type {(key: string, fields: Record<string, any>) => any} */
const plainLine = (key, fields) => make("li", { class: "plain" }, text(key, fields));

// A line that lights the squares of its territory up, or puts them out again.
/** @type {(territory: Territory) => any} */
function territoryLine(territory) {
  const cells = territory.cells.map((cell) => ` ${cell.join(",")} `).join(""), isLit = memory.lit === cells;
  const light = () => {
    memory.lit = isLit ? "" : cells;
    draw();
  };
  const line = button(faceMark(letterOf(territory.terrain)), light, { class: "quiet line", "aria-pressed": `${isLit}` });
  line.append(text("page.territory", territory));
  return make("li", {}, line);
}

// ---- the dialog of a square

const FACES = "W W1 F F1 L L1 G G1 G2 S S1 S2 M M1 M2 M3 C -".split(" ");

/** @type {(photo: Photo, view: View, cell: Cell) => void} */
function openSquare(photo, view, cell) {
  /** @type {(face: string) => void} */
  const settle = (face) => {
    $("square").close();
    fix(text("page.changed", { place: cell.name, face: faceName(face) }), photo, { [cell.place]: face });
  };
  /** @type {(face: string) => any} */
  const choice = (face) => button(faceMark(face), () => settle(face),
    { class: "face", title: faceName(face), "data-face": face, "aria-label": faceName(face) });
  $("square").dataset.place = cell.place;
  $("square-name").textContent = text("page.cell", { place: cell.name, face: faceName(cell.face) });
  $("likely").replaceChildren(...cell.likely.map(choice));
  $("faces").replaceChildren(...FACES.map(choice));
  openDialog($("square"));
  ($("likely").firstElementChild ?? $("faces").firstElementChild).focus();
  drawCrop(view, cell);
}

// The square with a little around it, as large as the dialog allows.
/** @type {(view: View, cell: Cell) => void} */
function drawCrop(view, cell) {
  const seen = 1 + 2 * AROUND, cols = view.cols + 2, rows = view.rows + 2;
  /** @type {(at: number, count: number) => string} */
  const share = (at, count) => `${100 * (at + 1 - AROUND) / (count - seen)}%`;
  Object.assign($("crop").style, {
    backgroundImage: `url("${$("picture").src}")`,
    backgroundSize: `${100 * cols / seen}% ${100 * rows / seen}%`,
    backgroundPosition: `${share(cell.col, cols)} ${share(cell.row, rows)}`,
  });
}

export const backToSquare = () => focusOn($("square").dataset.place);

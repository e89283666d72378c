// One kingdom: its board, its sum, what is doubtful, and the dialog of a square.

import { confirmTotal, fix, place as give } from "./changes.js";
import { openDialog } from "./dialogs.js";
import { $, boardOf, button, faceMark, faceName, letterOf, make, nameOf, say, text } from "./dom.js";
import { game as shownGame, isSaving, memory, shown as shownOf } from "./memory.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
// The part of a square that is shown of its surroundings on each side, in the dialog.
const AROUND = 0.3;

// The kingdoms of the game that is shown, those of its seats by rank first.
function listKingdoms() {
  const game = shownGame(), seats = game.seats.filter((seat) => seat.photo && seat.letter);
  seats.sort((seat, next) => (seat.rank ?? 9) - (next.rank ?? 9));
  const seated = seats.map((seat) => ({ place: `${seat.photo}/${seat.letter}`, name: nameOf(seat) }));
  const rest = game.unassigned.map(({ photo, letter }) => ({ place: `${photo}/${letter}`, name: text("page.kingdom") }));
  return [...seated, ...rest];
}

// The kingdom that comes after one, or before it: its name and its address; nothing where it is alone.
export function neighbourOf(/** @type {string[]} */ [photo, letter], step) {
  const kingdoms = listKingdoms(), at = kingdoms.findIndex(({ place }) => place === `${photo}/${letter}`);
  if (at < 0 || kingdoms.length < 2) return null;
  const { place, name } = kingdoms[(at + step + kingdoms.length) % kingdoms.length];
  return { name, href: `#kingdom/${place}` };
}

// Draw a kingdom of a photo; `seat` is whose it is, null for nobody's.
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

function drawSum(photo, kingdom, view, seat) {
  const isSettled = seat?.settled !== null && seat?.settled !== undefined;
  const isSure = kingdom.status === "sure";
  const others = view.others.filter((total) => total !== kingdom.score);
  const doubt = isSettled ? text("page.is-settled", { total: seat.counts }) : isSure ? text("page.sure")
    : others.length ? text("page.doubtful-or", { totals: others.join(", ") }) : text("page.doubtful");
  const total = `${kingdom.score}${isSure || isSettled ? "" : "?"}`;
  const isChanged = view.cells.some((cell) => isSaving(`square.${photo.id}.${cell.place}`));
  $("sum").className = isChanged ? "saving" : "";
  $("sum").replaceChildren(make("strong", { id: "kingdom-total" }, total),
    make("span", { class: isSure || isSettled ? "sure" : "doubtful" }, doubt));
}

// One sentence of doubt, and within reach of a thumb what settles it.
function drawDoubt(photo, kingdom, view, seat) {
  $("doubt").hidden = kingdom.status === "sure" || (seat?.settled ?? null) !== null;
  $("doubt-text").textContent = view.doubt;
  $("right").hidden = !Object.keys(view.fixes).length && !(seat && memory.evening.organiser);
  // Where a place beside the kingdom is in doubt, a tile may lie there that nobody sees in the photo.
  const isBeside = view.cells.some((cell) => !cell.inside && cell.doubtful);
  $("right").className = isBeside ? "quiet last" : "";
  $("right").onclick = () => confirmTotal(photo, view, kingdom.score, seat);
}

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
function drawPhotos(seat, photo, letter) {
  const copies = (seat?.photos ?? []).filter(([id, name]) => id !== photo.id || name !== letter);
  $("other-photos").replaceChildren(...copies.map(([id, name], at) =>
    make("a", { href: `#kingdom/${id}/${name}` }, text("page.other-photo", { n: at + 1 }))));
}

// ---- the board

function drawBoard(photo, view, kingdom) {
  const board = $("board"), editing = memory.adding;
  const shown = view.cells.filter((cell) => cell.inside || editing || cell.doubtful);
  const [top, left] = ["row", "col"].map((axis) => Math.min(...shown.map((cell) => cell[axis])));
  const [letters, numbers] = nameEdges(shown, top, left);
  const rows = Math.max(...shown.map((cell) => cell.row)) - top + 1;
  const cols = Math.max(...shown.map((cell) => cell.col)) - left + 1;
  const focused = board.querySelector(":focus")?.dataset.place ?? "";
  const first = focused || shown.find((cell) => cell.doubtful)?.place || shown[0].place;
  board.style.setProperty("--rows", rows);
  board.style.setProperty("--cols", cols);
  const picture = $("picture");
  Object.assign(picture.style, {
    width: `${100 * (view.cols + 2) / cols}%`, left: `${-100 * (1 + left) / cols}%`,
    top: `${-100 * (1 + top) / rows}%`,
  });
  $("photo").href = `/api/photos/${photo.id}/picture`;
  const source = boardOf({ photo: photo.id, letter: view.letter, kingdom: kingdom.kingdom });
  if (picture.getAttribute("src") !== source) picture.src = source;
  const cells = shown.map((saved) => {
    const key = `square.${photo.id}.${saved.place}`, isNew = isSaving(key);
    const cell = { ...saved, face: shownOf(key, saved.face) ?? saved.face, doubtful: saved.doubtful && !isNew };
    const words = !cell.inside ? "page.cell-add" : cell.doubtful ? "page.cell-doubtful" : "page.cell";
    const kind = ["cell", cell.inside || isNew ? "" : "add", cell.doubtful ? "doubtful" : "", isNew ? "saving" : "",
      cell.inside && memory.lit.includes(` ${cell.row},${cell.col} `) ? "lit" : ""].filter(Boolean).join(" ");
    const made = button(null, () => openSquare(photo, view, cell), {
      class: kind, "data-place": cell.place, "data-at": `${cell.row},${cell.col}`,
      tabindex: cell.place === first ? 0 : -1,
      "aria-label": text(words, { place: cell.name, face: faceName(cell.face) }),
    });
    made.append(cell.inside || isNew ? faceMark(cell.face) : "+");
    made.style.gridArea = `${cell.row - top + 1} / ${cell.col - left + 1}`;
    return made;
  });
  board.replaceChildren(picture, ...letters, ...numbers, ...cells);
  if (focused) focusOn(focused);
}

// The letters of the columns and the numbers of the rows, as sentences name squares.
function nameEdges(shown, top, left) {
  const edge = (axis, first, pattern) => {
    const names = new Map(shown.map((cell) => [cell[axis], cell.name.match(pattern)[0]]));
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
export function onKey(event) {
  const from = event.target;
  if (!(event.key in ARROWS) || !from.dataset.at) return;
  event.preventDefault();
  const [row, col] = from.dataset.at.split(",").map(Number);
  const [down, right] = ARROWS[event.key];
  const next = $("board").querySelector(`[data-at="${row + down},${col + right}"]`);
  if (next) focusOn(next.dataset.place);
}

const focusOn = (place) =>
  $("board").querySelector(`[data-place="${CSS.escape(place)}"]`)?.focus({ preventScroll: true });

// ---- the sum

function drawTerritories(kingdom) {
  const worth = kingdom.territories.filter((territory) => territory.points);
  const lines = worth.map((territory) => {
    const cells = territory.cells.map((cell) => ` ${cell.join(",")} `).join("");
    const line = button(null, () => light(line, cells), { class: "quiet line", "aria-pressed": memory.lit === cells });
    line.append(faceMark(letterOf(territory.terrain)), text("page.territory", territory));
    return make("li", {}, line);
  });
  for (const { code, earned, points } of kingdom.bonuses.filter((bonus) => bonus.counted)) {
    const line = text("page.bonus", { bonus: `bonus.${code}`, points: earned ? points : 0 });
    lines.push(make("li", { class: "plain" }, line));
  }
  const squares = kingdom.territories.reduce((sum, { points, squares: more }) => sum + (points ? 0 : more), 0);
  if (squares) lines.push(make("li", { class: "plain" }, text("page.worthless", { squares })));
  $("territories").replaceChildren(...lines);
}

// Light the squares of a territory up, or put them out again.
function light(line, cells) {
  const on = line.getAttribute("aria-pressed") !== "true";
  memory.lit = on ? cells : "";
  for (const row of $("territories").querySelectorAll("[aria-pressed]")) {
    row.setAttribute("aria-pressed", String(on && row === line));
  }
  for (const cell of $("board").querySelectorAll(".cell:not(.add)")) {
    cell.classList.toggle("lit", on && cells.includes(` ${cell.dataset.at} `));
  }
  if (on) say(line.textContent);
}

// ---- the dialog of a square

const FACES = "W W1 F F1 L L1 G G1 G2 S S1 S2 M M1 M2 M3 C -".split(" ");

function openSquare(photo, view, cell) {
  const settle = (face) => {
    $("square").close();
    fix(text("page.changed", { place: cell.name, face: faceName(face) }), photo, { [cell.place]: face });
  };
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
function drawCrop(view, cell) {
  const seen = 1 + 2 * AROUND, cols = view.cols + 2, rows = view.rows + 2;
  const share = (at, count) => `${100 * (at + 1 - AROUND) / (count - seen)}%`;
  Object.assign($("crop").style, {
    backgroundImage: `url("${$("picture").src}")`,
    backgroundSize: `${100 * cols / seen}% ${100 * rows / seen}%`,
    backgroundPosition: `${share(cell.col, cols)} ${share(cell.row, rows)}`,
  });
}

export const backToSquare = () => focusOn($("square").dataset.place);

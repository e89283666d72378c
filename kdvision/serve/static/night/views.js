// The views of an evening: the game, photos on their way, one kingdom, and all games.

import { $, button, faceMark, faceName, letterOf, make, say, text } from "../dom.js";
import { ask, failed, lastOpened } from "../net.js";

// ---------------------------------------------------------------- the game

const rows = new Map();
// Pictures of photos on their way, by their keys: drawn once, let go when they are gone.
const previews = new Map();

export const boardOf = (one, size = "") =>
  `/api/photos/${one.photo}/boards/${one.letter}?v=${encodeURIComponent(one.size + one.kingdom_line)}${size}`;
const SMALL = "&cell=28";

// The switches of the bonuses; each has the name of its rule as its id.
export const bonuses = () => [...document.querySelectorAll("#rules [role=switch]")];

export const nameOf = (player) => player.player || text(`page.colour.${player.colour}`);

export function totalText(kingdom) {
  if (kingdom.score === null) return "–";
  return kingdom.status === "sure" ? `${kingdom.score}` : `${kingdom.score}?`;
}

// Draw a game; `page` gives its players and takes changes.
export function drawGame(page) {
  const game = page.game();
  drawPlayers(page);
  $("unplaced").replaceChildren(...game.unplaced.map((one) => whoseCard(page, game, one)));
  for (const bonus of bonuses()) bonus.checked = game.rules[bonus.id];
  $("size").value = game.rules.size ?? "auto";
  $("rules-set").textContent = bonuses().filter((bonus) => bonus.checked)
    .map((bonus) => text(`bonus.${bonus.id}`)).join(", ");
  $("new").hidden = !game.players.some((player) => player.photo);
}

// The players by rank, and after them the seats that nobody has taken.
function seatsOf(page) {
  const { players } = page.game(), taken = new Set(players.map((one) => one.seat));
  const free = page.colours().map((colour, at) =>
    ({ seat: at + 1, colour, player: "", photo: null, score: null }));
  return [...players, ...free.filter((one) => !taken.has(one.seat))];
}

// Rows stay the same elements: nobody who is typing is interrupted by what comes from elsewhere.
function drawPlayers(page) {
  const drawn = seatsOf(page).map((player) => drawPlayer(page, player));
  const typing = $("players").contains(document.activeElement) && document.activeElement.matches("input");
  const same = drawn.every((row, at) => $("players").children[at] === row);
  if (!same && (!typing || drawn.length !== $("players").children.length)) {
    $("players").replaceChildren(...drawn);
  }
}

function drawPlayer(page, player) {
  let row = rows.get(player.seat);
  if (!row) {
    const name = make("input", {
      maxlength: $("players").dataset.letters, autocomplete: "off", list: "names", enterkeyhint: "next",
      change: () => page.rename(player.seat, name.value.trim()),
    });
    row = make("li", { "data-seat": player.seat },
      make("a", { class: "cut", tabindex: -1, "aria-hidden": "true" }), name, make("a", { class: "total" }));
    rows.set(player.seat, row);
  }
  const [cut, name, total] = row.children;
  row.className = `player king-${player.colour}${player.photo ? "" : " waits"}`;
  if (document.activeElement !== name) name.value = player.player;
  name.placeholder = text(`page.colour.${player.colour}`);
  name.setAttribute("aria-label", text("page.player", { colour: text(`page.colour.${player.colour}`) }));
  const board = player.photo ? boardOf(player, SMALL) : "";
  if (row.dataset.board !== board) {
    row.dataset.board = board;
    cut.replaceChildren(...(board ? [make("img", { src: board, alt: "" })] : []));
  }
  for (const link of [cut, total]) {
    if (player.photo) link.href = `#kingdom/${player.photo}/${player.letter}`;
    else link.removeAttribute("href");
  }
  total.replaceChildren(...(player.photo ? totalParts(player) : []));
  if (player.photo) total.setAttribute("aria-label", totalLabel(player));
  else total.removeAttribute("aria-label");
  return row;
}

function totalParts(player) {
  const crown = player.wins ? make("span", { class: "crown", "aria-hidden": "true" }, "♛ ") : null;
  return [crown, totalText(player)].filter(Boolean);
}

function totalLabel(player) {
  const key = player.score === null ? "page.show-none"
    : player.status === "sure" ? "page.show" : "page.show-unsure";
  const said = text(key, { player: nameOf(player), total: player.score });
  return player.wins ? `${text("page.wins", { player: nameOf(player) })}. ${said}` : said;
}

// A kingdom of which nobody said whose it is, with the names as buttons.
function whoseCard(page, game, one) {
  const field = `kingdom.${one.photo}.${one.letter}`;
  const waiting = game.players.filter((player) => !player.photo).length;
  const players = (game.unplaced.length > waiting ? seatsOf(page) : [...game.players])
    .sort((a, b) => Boolean(a.photo) - Boolean(b.photo) || a.seat - b.seat);
  const names = players.map((player) =>
    button(nameOf(player), () => page.write({ [field]: player.seat }),
      { class: `quiet king-${player.colour}${player.photo ? " taken" : ""}` }));
  const nobody = button(text("page.nobody"), () => page.write({ [field]: 0 }));
  const link = make("a", { class: "cut", href: `#kingdom/${one.photo}/${one.letter}`, "aria-label": text("page.kingdom") },
    make("img", { src: boardOf(one, SMALL), alt: "" }));
  return make("article", { class: "whose" }, link,
    make("div", {}, make("p", {}, `${text("page.whose")} (${totalText(one)})`),
      make("p", { class: "tools" }, ...names, nobody)));
}

// ---------------------------------------------------------------- photos on their way

export function drawPending(page, photos) {
  const keys = new Set(photos.map((photo) => photo.key));
  for (const [key, preview] of previews) {
    if (keys.has(key)) continue;
    URL.revokeObjectURL(preview.querySelector("img").src);
    previews.delete(key);
  }
  $("pending").replaceChildren(...photos.map((photo) => pendingCard(page, photo)));
}

function pendingCard(page, photo) {
  let card = previews.get(photo.key);
  if (!card) {
    card = make("article", { class: "pending", "data-key": photo.key },
      make("img", { src: URL.createObjectURL(photo.photo), alt: "" }),
      make("div", {}, make("p"), make("progress", { max: 1, value: 0, "aria-label": text("page.sending") })));
    previews.set(photo.key, card);
  }
  const [sentence, bar] = card.lastChild.children;
  bar.hidden = Boolean(photo.error);
  if (photo.error) sentence.setAttribute("role", "alert");
  sentence.textContent = photo.error ?? text("page.sending");
  if (photo.error && card.lastChild.children.length === 2) {
    card.lastChild.append(button(text("page.discard"), () => page.discard(photo.key)));
  }
  return card;
}

// The bar fills while the photo goes up, and moves to and fro while it is scored.
export function showProgress(key, share) {
  const card = previews.get(key);
  if (!card) return;
  const [sentence, bar] = card.lastChild.children;
  if (share < 1) bar.value = share;
  else bar.removeAttribute("value");
  sentence.textContent = text(share < 1 ? "page.sending" : "page.scoring");
}

// ---------------------------------------------------------------- one kingdom

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
// The part of a square that is shown of its surroundings on each side, in the dialog.
const AROUND = 0.3;
const opening = lastOpened();
let lit = "";
let drawn = "";

// Draw a kingdom of a photo; `player` is whose it is, null for nobody's.
export function drawKingdom(page, photo, letter, player) {
  const at = photo.views.findIndex((view) => view.letter === letter);
  const view = photo.views[at], kingdom = photo.kingdoms[at];
  const name = `${photo.id}.${letter}`;
  if (drawn !== name) {
    drawn = name;
    lit = "";
    $("edges").setAttribute("aria-pressed", "false");
  }
  drawBoard(page, photo, view);
  const isSure = kingdom.status === "sure";
  const shown = player ?? { score: kingdom.scored || Object.keys(photo.fixes).length ? kingdom.score : null, status: kingdom.status };
  const others = kingdom.scored && view.others.filter((total) => total !== kingdom.score);
  const doubt = isSure ? text("page.sure")
    : [text("page.not-sure"), others?.length ? text("page.or", { totals: others.join(", ") }) : ""].filter(Boolean).join(", ");
  $("sum").replaceChildren(make("strong", { id: "kingdom-total" }, totalText(shown)),
    make("span", { class: isSure ? "sure" : "unsure" }, doubt));
  drawTerritories(kingdom);
  $("said").replaceChildren(...view.said.map((one) => make("p", {}, one)));
  drawOwner(page, photo, letter, player);
}

function drawOwner(page, photo, letter, player) {
  const players = seatsOf(page).sort((one, other) => one.seat - other.seat);
  const options = players.map((one) =>
    make("option", { value: one.seat, selected: one.seat === player?.seat }, nameOf(one)));
  $("whose").replaceChildren(make("option", { value: 0, selected: !player }, text("page.nobody")), ...options);
}

// ---------------------------------------------------------------- the board

function drawBoard(page, photo, view) {
  const board = $("board"), editing = $("edges").getAttribute("aria-pressed") === "true";
  const shown = view.cells.filter((cell) => cell.inside || editing);
  const [top, left] = ["row", "col"].map((axis) => Math.min(...shown.map((cell) => cell[axis])));
  const rows = Math.max(...shown.map((cell) => cell.row)) - top + 1;
  const cols = Math.max(...shown.map((cell) => cell.col)) - left + 1;
  const focused = board.contains(document.activeElement) ? document.activeElement.dataset.place : "";
  const first = focused || shown.find((cell) => cell.doubtful)?.place || shown[0].place;
  board.style.setProperty("--rows", rows);
  board.style.setProperty("--cols", cols);
  const picture = $("picture");
  Object.assign(picture.style, {
    width: `${100 * (view.cols + 2) / cols}%`, left: `${-100 * (1 + left) / cols}%`,
    top: `${-100 * (1 + top) / rows}%`,
  });
  if (picture.getAttribute("src") !== view.board) picture.src = view.board;
  const cells = shown.map((cell) => {
    const key = !cell.inside ? "page.cell-add" : cell.doubtful ? "page.cell-doubt" : "page.cell";
    const kind = ["cell", cell.inside ? "" : "add", cell.doubtful ? "doubt" : "",
      cell.inside && lit.includes(` ${cell.row},${cell.col} `) ? "lit" : ""].filter(Boolean).join(" ");
    const made = button(null, () => openSquare(page, photo, view, cell), {
      class: kind, "data-place": cell.place, "data-at": `${cell.row},${cell.col}`,
      tabindex: cell.place === first ? 0 : -1,
      "aria-label": text(key, { place: cell.name, face: faceName(cell.face) }),
    });
    made.append(cell.inside ? faceMark(cell.face) : "+");
    made.style.gridArea = `${cell.row - top + 1} / ${cell.col - left + 1}`;
    return made;
  });
  board.replaceChildren(picture, ...cells);
  if (focused) focusOn(focused);
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

// Put the focus on a square, which then is the one that the Tab key reaches.
function focusOn(place) {
  const cell = $("board").querySelector(`[data-place="${CSS.escape(place)}"]`);
  if (!cell) return;
  for (const other of $("board").querySelectorAll(".cell")) other.tabIndex = -1;
  cell.tabIndex = 0;
  cell.focus({ preventScroll: true });
}

// ---------------------------------------------------------------- the sum

function drawTerritories(kingdom) {
  const worth = kingdom.territories.filter((one) => one.points);
  const lines = worth.map((one) => {
    const cells = one.cells.map((cell) => ` ${cell.join(",")} `).join("");
    const line = button(null, () => light(line, cells), { class: "quiet line", "aria-pressed": lit === cells });
    line.append(faceMark(letterOf(one.terrain)), text("page.territory", one));
    return make("li", {}, line);
  });
  for (const { code, earned, points } of kingdom.bonuses.filter((bonus) => bonus.counted)) {
    const line = text("page.bonus", { bonus: `bonus.${code}`, points: earned ? points : 0 });
    lines.push(make("li", { class: "plain" }, line));
  }
  const worthless = new Map();
  for (const one of kingdom.territories.filter((none) => !none.points)) {
    worthless.set(one.terrain, (worthless.get(one.terrain) ?? 0) + one.squares);
  }
  if (worthless.size) {
    const list = [...worthless].map(([terrain, squares]) =>
      text("page.worthless-part", { terrain: `terrain.${terrain}`, squares })).join(", ");
    lines.push(make("li", { class: "plain" }, text("page.worthless", { list })));
  }
  $("territories").replaceChildren(...lines);
}

// Light the squares of a territory up, or put them out again.
function light(line, cells) {
  const on = line.getAttribute("aria-pressed") !== "true";
  lit = on ? cells : "";
  for (const other of $("territories").querySelectorAll("[aria-pressed]")) {
    other.setAttribute("aria-pressed", String(on && other === line));
  }
  for (const cell of $("board").querySelectorAll(".cell:not(.add)")) {
    cell.classList.toggle("lit", on && cells.includes(` ${cell.dataset.at} `));
  }
  if (on) say(line.textContent);
}

// ---------------------------------------------------------------- the dialog of a square

async function openSquare(page, photo, view, cell) {
  const isLast = opening(), { place } = cell;
  Object.assign($("square").dataset, { place, ready: "" });
  $("square-name").textContent = text("page.cell", { place: cell.name, face: faceName(cell.face) });
  for (const id of ["likely", "faces", "reason"]) $(id).replaceChildren();
  drawCrop(view, cell);
  if (!$("square").open) $("square").showModal();
  try {
    const answer = await ask("GET", `/api/photos/${photo.id}/squares/${place}`);
    if (isLast()) showFaces(named(page, photo, view, answer), (face) => page.settle(photo, place, cell.name, face));
  } catch (error) {
    if (isLast()) $("square").close();
    failed(error);
  }
}

// Places as people call them: those of other kingdoms with the name of their player.
function named(page, photo, view, answer) {
  const called = (place) => {
    const [letter, name] = place.split(".");
    const owner = page.game().players.find((one) => one.photo === photo.id && one.letter === letter);
    return letter === view.letter ? name : `${owner ? nameOf(owner) : letter} ${name}`;
  };
  const faces = answer.faces.map(({ face, reason }) =>
    ({ face, reason: reason && { ...reason, places: reason.places.map(called) } }));
  return { ...answer, faces };
}

function showFaces({ place, likely, faces }, settle) {
  const reasons = Object.fromEntries(faces.map(({ face, reason }) => [face, reason]));
  const choice = (face) => faceButton(face, reasons[face], () =>
    reasons[face] ? explain(face, reasons[face], settle) : settle(face));
  $("likely").replaceChildren(...likely.map(choice));
  $("faces").replaceChildren(...faces.map(({ face }) => choice(face)));
  ($("likely").firstElementChild ?? $("faces").firstElementChild).focus();
  $("square").dataset.ready = place;
}

// A button with the picture of a face. What is excluded can be tapped as well, and says why.
function faceButton(face, reason, act) {
  const name = faceName(face);
  const made = button(faceMark(face), act, {
    class: "face", title: name, "data-face": face, "aria-label": reason ? reasonText(face, reason) : name,
  });
  if (reason) made.setAttribute("aria-disabled", "true");
  return made;
}

const reasonText = (face, reason) => text(`page.excluded.${reason.code}`,
  { face: faceName(face), held: reason.held, places: reason.places.join(", ") });

// Say why a face cannot be; a person may know better.
function explain(face, reason, settle) {
  $("reason").replaceChildren(reasonText(face, reason),
    button(text("page.anyway", { face: faceName(face) }), () => settle(face)));
  $("reason").scrollIntoView({ block: "nearest" });
}

// The square with a little around it, as large as the dialog allows, once its board is there.
function drawCrop(view, cell) {
  const picture = $("picture"), canvas = $("crop"), drawing = canvas.getContext("2d");
  drawing.clearRect(0, 0, canvas.width, canvas.height);
  const isLast = () => $("square").dataset.place === cell.place;
  const draw = () => {
    if (!isLast() || !picture.naturalWidth) return;
    const side = picture.naturalWidth / (view.cols + 2);
    const around = side * AROUND, inner = canvas.width * AROUND / (1 + 2 * AROUND);
    drawing.drawImage(picture, (cell.col + 1) * side - around, (cell.row + 1) * side - around,
      side + 2 * around, side + 2 * around, 0, 0, canvas.width, canvas.height);
    drawing.strokeStyle = "#fff";
    drawing.lineWidth = 3;
    drawing.strokeRect(inner, inner, canvas.width - 2 * inner, canvas.height - 2 * inner);
  };
  if (picture.complete) draw();
  else picture.addEventListener("load", draw, { once: true });
}

export const backToSquare = () => focusOn($("square").dataset.place);

// ---------------------------------------------------------------- all games

// Draw the ranking and the games of an evening.
export function drawEvening(page, evening) {
  $("ranking").replaceChildren(...evening.ranking.map((one) => make("tr", {},
    make("td", {}, `${one.rank}`), make("td", {}, one.colour ? nameOf({ colour: one.colour }) : one.player),
    make("td", {}, `${one.total}${one.open ? "?" : ""}`))));
  const items = [...evening.games].reverse().map((one) => gameItem(page, one));
  $("games").replaceChildren(...(items.length ? items : [make("li", {}, text("page.nothing-yet"))]));
  $("share").disabled = !evening.ranking.length;
}

function gameItem(page, one) {
  const had = one.players.filter((player) => player.photo);
  const sums = had.map((player) => `${player.wins ? "♛ " : ""}${nameOf(player)} ${totalText(player)}`);
  const link = make("a", { href: `#game/${encodeURIComponent(one.game)}`, "aria-label":
    `${text("page.open-game", one)}: ${sums.join(", ")}` },
  make("strong", {}, text("page.game", one)), ` ${sums.join(", ")}`);
  const drop = button(text("page.drop"), () => page.drop(one), { "aria-label": text("page.drop-game", one) });
  return make("li", {}, link, drop);
}

// The board of a desk: a tile per table, and what to do where somebody must look.

import { $, button, clock, make, remember, remembered, say, text } from "../dom.js";
import {
  badge, photoFrame, photoOf, placeText, SIGNS, stateOf, summary, totalOf, twice,
} from "./line.js";
import { ask, failed, inOrder, lastOpened, watched } from "../net.js";

const REFRESH_MS = 2500;
const watching = watched("/api/board", show);
const opening = lastOpened();
const logging = inOrder();
let board = null;
let round = null;
// Whose kingdom is tapped next on the photo; null where nobody's is asked for.
let picking = null;

// ---------------------------------------------------------------- what is there

async function refresh() {
  if (document.hidden) return;
  try {
    await watching.look();
  } catch (error) {
    failed(error);
  }
}

function show(found) {
  board = found;
  if (!board.rounds.includes(round)) round = busiestRound();
  drawRounds();
  drawTiles();
  $("notes").replaceChildren(...board.notes.map((note) => make("li", { class: "flag" }, note)));
  if ($("log-part").open) drawLog();
}

// The first round that is not over; the last where all are.
const busiestRound = () => board.rounds.find((name) =>
  tilesOf(name).some((tile) => tile.state !== "agrees")) ?? board.rounds.at(-1);

const tilesOf = (name) => board.tiles.filter((tile) => tile.round === name);

const asksForUs = ({ state }) => ["differs", "look"].includes(state);

function drawRounds() {
  $("rounds").hidden = board.rounds.length < 2;
  $("rounds").replaceChildren(...board.rounds.map((name) => {
    const open = tilesOf(name).some(asksForUs) ? " !" : "";
    const choose = () => {
      round = name;
      show(board);
    };
    return button(`${text("desk.place.round", { round: name })}${open}`, choose,
      { "aria-pressed": `${name === round}` });
  }));
}

function drawTiles() {
  const tiles = tilesOf(round).sort(longestWaiting);
  const counts = { waiting: 0, agrees: 0, differs: 0, look: 0 };
  for (const tile of tiles) counts[tile.state] += 1;
  $("counts").textContent = text("desk.counts", counts);
  const focused = document.activeElement?.dataset?.table;
  $("tiles").replaceChildren(...tiles.map(drawTile));
  if (focused !== undefined) {
    [...$("tiles").children].find((tile) => tile.dataset.table === focused)?.focus();
  }
}

// What asks for a person comes first, and of that what has waited longest.
function longestWaiting(one, other) {
  const since = (tile) => tile.players.filter(asksForUs).map((line) => line.since ?? "").sort()[0];
  const [mine, theirs] = [since(one), since(other)];
  if (mine === undefined || theirs === undefined) {
    return (mine === undefined) - (theirs === undefined);
  }
  return mine.localeCompare(theirs);
}

function drawTile(tile) {
  const lines = tile.players.map((line) =>
    make("li", {}, `${line.player} `, make("span", { class: "short" }, shortly(line))));
  const head = make("span", { class: "head" },
    make("strong", {}, text("desk.place.table", tile)), badge(tile.state));
  const made = button(head, () => openTile(tile), { class: `tile ${tile.state}`, "data-table": tile.table });
  made.append(make("ul", {}, ...lines));
  return made;
}

function shortly(line) {
  const sign = SIGNS[stateOf(line)], total = totalOf(line);
  if (line.flags.some(({ flag }) => flag === "missing")) return text("desk.flag.missing");
  if (!line.photo) return sign;
  return line.state === "differs" ? `${line.claimed} ${sign} ${total}` : `${total ?? line.claimed} ${sign}`;
}

// ---------------------------------------------------------------- one table

// The dialog opens at once, so that nobody taps twice or sees what was opened before.
async function openTile(tile) {
  const isLast = opening();
  $("detail-name").textContent = placeText(tile.round, tile.table);
  $("detail-body").replaceChildren(make("p", {}, text("desk.loading")));
  $("detail-body").setAttribute("aria-busy", "true");
  if (!$("detail").open) $("detail").showModal();
  await drawDetail(tile, isLast);
}

// One photo for all who share it, and a row per player; those that ask for a person come first.
async function drawDetail(tile, isLast) {
  picking = null;
  const sent = tile.players.filter((line) => line.photo);
  const ids = [...new Set(sent.map((line) => line.photo))];
  const photos = await Promise.all(ids.map((photo) => photoOf({ photo }).catch(() => null)));
  if (!isLast()) return;
  const frames = photos.filter(Boolean).flatMap((photo) => {
    const lines = sent.filter((line) => line.photo === photo.id);
    return [photoFrame(photo, lines, (letter) => assign(tile, letter, isLast)), ...morePhotos(photo)];
  });
  const rows = [...tile.players].sort((one, other) => asksForUs(other) - asksForUs(one));
  $("detail-hint").textContent = "";
  $("detail-body").replaceChildren(make("div", { class: "photos" }, ...frames),
    make("div", {}, ...rows.map((line) => drawRow(tile, line, isLast))));
  $("detail-body").removeAttribute("aria-busy");
}

// What players added to their photo: to look at, it counts for nothing.
const morePhotos = (photo) => Array.from({ length: photo.pictures - 1 }, (_, index) =>
  make("figure", {},
    make("img", { src: `/api/photos/${photo.id}/pictures/${index + 2}`, alt: text("page.photo"), loading: "lazy" }),
    make("figcaption", {}, text("desk.one-more", { n: index + 2 }))));

const drawRow = (tile, line, isLast) => make("article", {},
  make("h3", {}, line.player), ...summary(line),
  make("p", { class: "tools" }, ...actions(tile, line, isLast)));

function pick(line) {
  picking = line;
  $("detail").querySelector(".shown")?.scrollIntoView({ block: "nearest" });
  $("detail-hint").textContent = text("desk.tap-kingdom", line);
}

// Two players whose kingdoms were mixed up change places with one tap.
async function assign(tile, letter, isLast) {
  const line = picking;
  if (!line) return;
  picking = null;
  $("detail-hint").textContent = "";
  const other = tile.players.find((had) =>
    had !== line && had.photo === line.photo && had.letter === letter);
  const letters = { [line.player]: letter, ...(other ? { [other.player]: line.letter } : {}) };
  if (name()) await send("letters", tile, line, { letters }, isLast);
}

function actions(tile, line, isLast) {
  // With the total that was seen: squares may have been corrected meanwhile.
  const decide = (accept, total) => send("decisions", tile, line, { accept, total }, isLast);
  const correct = (fixes) => send("corrections", tile, line, { fixes }, isLast);
  const made = proposals(line, correct);
  const side = (key, n, accept) => made.push(
    twice(text(key, { n }), () => asked("desk.sure", { n, player: line.player }), () => decide(accept, n)));
  if (line.accepted) {
    made.push(twice(text("desk.withdraw"), () => asked("desk.withdraw-sure"), () => decide(null, line.total)));
  } else if ((line.claimed !== null || line.photo) && line.state !== "agrees") {
    if (line.read !== null) side("desk.photo-counts", line.read, "photo");
    if (line.claimed !== null) side("desk.claim-counts", line.claimed, "claim");
    const field = { type: "number", min: 0, inputmode: "numeric", placeholder: "42" };
    made.push(written("desk.number", field, (total) => decide(Number(total))));
  }
  if (line.photo) {
    made.push(button(text(line.letter ? "desk.kingdom" : "desk.pick", line), () => pick(line)));
    made.push(written("desk.correct", { placeholder: "b3=W1 c4=G", autocomplete: "off" },
      (words) => correct(fixesOf(words, line.letter))));
  }
  if (line.claimed !== null || line.photo) {
    made.push(twice(text("desk.reopen"), () => asked("desk.reopen-sure", line),
      () => send("reopen", tile, line, {}, isLast)));
  }
  return made;
}

// What the table would have read otherwise, square by square, to be taken or turned down.
function proposals(line, correct) {
  const made = line.proposals.flatMap(({ by, squares }) => {
    const changes = squares.map((square) => `${square.place}: ${square.read} → ${square.proposed}`);
    const fixes = Object.fromEntries(squares.map((square) => [square.place, square.proposed]));
    return [
      make("span", { class: "flag" }, text("desk.proposed", { by, squares: changes.join(", ") }),
        make("span", { class: "crops" }, ...squares.filter((square) => square.letter).map((square) => crop(line, square)))),
      twice(text("desk.take"), () => asked("desk.take-sure"), () => correct(fixes)),
    ];
  });
  if (made.length) {
    made.push(twice(text("desk.turn-down"), () => asked("desk.turn-down-sure"), () => correct({})));
  }
  return made;
}

// A square as it lies in the photo, cut out of the board, which has a ring of one square around it.
function crop(line, { place, letter, row, col }) {
  const made = make("img", { class: "crop", src: `/api/photos/${line.photo}/boards/${letter}`, alt: place, title: place });
  made.style.setProperty("--col", col + 1);
  made.style.setProperty("--row", row + 1);
  return made;
}

// "b3=W1 c4=G" as the server takes it, in the kingdom of a letter.
function fixesOf(words, letter) {
  const pairs = words.trim().split(/[\s,;]+/).map((word) => word.split("="));
  const named = (place) => (letter && !place.includes(".") ? `${letter}.${place}` : place);
  return Object.fromEntries(pairs.map(([place, cell]) => [named(place), (cell ?? "").toUpperCase()]));
}

// A button that opens a field, and does something with what is written there.
function written(key, attributes, act) {
  const field = make("input", { "aria-label": text(key), hidden: true, ...attributes });
  const submit = (event) => {
    event.preventDefault();
    if (field.hidden) {
      field.hidden = false;
      field.focus();
    } else if (field.value.trim() && name()) {
      act(field.value);
    }
  };
  return make("form", { class: "written", submit }, field, make("button", { class: "quiet" }, text(key)));
}

// Who decides; without a name the field for it is shown.
function name() {
  const by = $("by").value.trim();
  if (by) return by;
  $("detail").close();
  $("by").focus();
  say(text("desk.needs-name"));
  return "";
}

// The question that a second tap answers, once there is a name to answer for it.
function asked(key, fields = {}) {
  const by = name();
  return by && text(key, { ...fields, by });
}

async function send(what, tile, line, more, isLast) {
  // With the photo that was seen: there may be another one meanwhile.
  const about = { round: tile.round, table: tile.table, player: line.player, photo: line.photo, by: name() };
  try {
    const found = await ask("POST", `/api/board/${what}`, { ...about, ...more });
    watching.changed();
    show(found);
    say("");
    const now = tilesOf(tile.round).find((one) => one.table === tile.table);
    if (now && isLast()) await drawDetail(now, isLast);
  } catch (error) {
    if (isLast()) $("detail").close();
    failed(error);
  }
}

// ---------------------------------------------------------------- the log

async function drawLog() {
  const isNews = logging();
  try {
    const { events } = await ask("GET", "/api/board/log");
    if (isNews()) $("log").replaceChildren(...events.reverse().map(drawEvent));
  } catch (error) {
    failed(error);
  }
}

function drawEvent({ at, round, table, by, kind, player, value: { before, after, slip } }) {
  const what = before === null || before === "" ? `${after ?? ""}` : `${before} → ${after ?? "–"}`;
  const who = by || text("desk.desk");
  return make("li", {}, text("desk.event", {
    time: clock(at), place: placeText(round, table), kind: `desk.event.${kind}${slip ? "-slip" : ""}`,
    what, by: who === player ? who : text("desk.event.for", { by: who, player }),
  }));
}

// ---------------------------------------------------------------- start

async function start() {
  $("by").value = remembered("desk name", "");
  $("by").addEventListener("change", () => remember("desk name", $("by").value.trim()));
  $("log-part").addEventListener("toggle", () => { if ($("log-part").open) drawLog(); });
  document.addEventListener("visibilitychange", refresh);
  await refresh();
  setInterval(refresh, REFRESH_MS);
  document.body.dataset.ready = "yes";
}

start();

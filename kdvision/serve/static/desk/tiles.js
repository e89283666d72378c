// The board of a desk: a tile per table, and what to do where somebody must look.

import { clock, fillTexts, inLanguage, placeText, text } from "./texts.js";
import {
  badge, button, explanation, make, photoFrame, SIGNS, stateOf, summary, totalOf, twice,
} from "./explained.js";
import { ask, inOrder, lastOpened } from "../net.js";

const REFRESH_MS = 2500;
const $ = (id) => document.getElementById(id);
let board = null;
let tag = "";
let round = null;
const asking = inOrder();
const opening = lastOpened();
const logging = inOrder();

const say = (sentence) => { $("status").textContent = sentence; };

// ---------------------------------------------------------------- what is there

async function refresh() {
  if (document.hidden) return;
  const isNews = asking();
  try {
    const answer = await fetch(inLanguage("/api/board"), { headers: tag ? { "If-None-Match": tag } : {} });
    if (answer.status === 304) return;
    const found = await answer.json();
    if (!answer.ok) return say(found.error);
    if (!isNews()) return;
    tag = answer.headers.get("ETag") || "";
    show(found);
  } catch (error) {
    say(text("failed", { why: error.message }));
  }
}

function show(found) {
  board = found;
  if (!board.rounds.includes(round)) round = busiestRound();
  drawRounds();
  drawTiles();
  $("notes").replaceChildren(...board.notes.map((note) => make("li", note, "flag")));
  if ($("log-part").open) drawLog();
}

// The first round that is not over; the last where all are.
function busiestRound() {
  const isOpen = (one) => tilesOf(one).some((tile) => tile.state !== "agrees");
  return board.rounds.find(isOpen) ?? board.rounds[board.rounds.length - 1];
}

const tilesOf = (one) => board.tiles.filter((tile) => tile.round === one);

function drawRounds() {
  $("rounds").hidden = board.rounds.length < 2;
  $("rounds").replaceChildren(...board.rounds.map((one) => {
    const asks = tilesOf(one).some((tile) => ["differs", "look"].includes(tile.state));
    const made = button(`${text("round")} ${one}${asks ? " !" : ""}`, () => {
      round = one;
      show(board);
    });
    made.setAttribute("aria-pressed", one === round);
    return made;
  }));
}

function drawTiles() {
  const tiles = tilesOf(round).sort(longestWaiting);
  const counts = { waiting: 0, agrees: 0, differs: 0, look: 0 };
  for (const tile of tiles) counts[tile.state] += 1;
  $("counts").textContent = text("counts", counts);
  const focused = document.activeElement?.dataset?.table;
  $("tiles").replaceChildren(...tiles.map(drawTile));
  if (focused !== undefined) {
    [...$("tiles").children].find((one) => one.dataset.table === focused)?.focus();
  }
}

// What asks for a person comes first, and of that what has waited longest.
function longestWaiting(one, other) {
  const asks = (line) => ["differs", "look"].includes(line.state);
  const since = (tile) => tile.players.filter(asks).map((line) => line.since ?? "").sort()[0];
  const [mine, theirs] = [since(one), since(other)];
  if (mine === undefined || theirs === undefined) {
    return (mine === undefined) - (theirs === undefined);
  }
  return mine.localeCompare(theirs);
}

function drawTile(tile) {
  const made = button("", () => openTile(tile), `tile ${tile.state}`);
  made.dataset.table = tile.table;
  const head = make("span", "", "head");
  head.append(make("strong", `${text("table")} ${tile.table}`), badge(tile.state));
  made.append(head);
  const list = make("ul");
  for (const line of tile.players) {
    const item = make("li", `${line.player} `);
    item.append(make("span", shortly(line), "short"));
    list.append(item);
  }
  made.append(list);
  return made;
}

function shortly(line) {
  const sign = SIGNS[stateOf(line)];
  if (line.flags.some(({ flag }) => flag === "missing")) return text("missing");
  const total = totalOf(line);
  if (line.claimed === null || !line.photo) return sign;
  return line.state === "differs" ? `${line.claimed} ${sign} ${total}` : `${total ?? line.claimed} ${sign}`;
}

// ---------------------------------------------------------------- one table

// The dialog opens at once, so that nobody taps twice or sees what was opened before.
async function openTile(tile) {
  const isLast = opening();
  $("detail-name").textContent = placeText(tile.round, tile.table);
  $("detail-body").replaceChildren(make("p", text("loading")));
  $("detail-body").setAttribute("aria-busy", "true");
  if (!$("detail").open) $("detail").showModal();
  await drawDetail(tile, isLast);
}

// One photo for all who share it, and a row per player.
async function drawDetail(tile, isLast) {
  picking = null;
  const ids = [...new Set(tile.players.map((line) => line.photo).filter(Boolean))];
  const found = await Promise.all(ids.map((id) => ask("GET", `/api/photos/${id}`).catch(() => null)));
  if (!isLast()) return;
  const frames = found.filter(Boolean).map((photo) => {
    const lines = tile.players.filter((line) => line.photo === photo.id);
    return photoFrame(photo, lines, (letter) => assign(tile, letter, isLast));
  });
  $("detail-body").replaceChildren(...frames, ...tile.players.map((line) => drawRow(tile, line, isLast)));
  $("detail-body").removeAttribute("aria-busy");
}

function drawRow(tile, line, isLast) {
  const row = make("article");
  row.append(make("h3", line.player), summary(line), explanation(line));
  const tools = make("p", "", "tools");
  tools.append(...actions(tile, line, isLast));
  row.append(tools);
  return row;
}

// Whose kingdom is tapped next on the photo; null where nobody's is asked for.
let picking = null;

function pick(line) {
  picking = line;
  $("detail").querySelector(".shown")?.scrollIntoView({ block: "nearest" });
  $("detail-hint").textContent = text("tapKingdom", { player: line.player });
}

// Two players whose kingdoms were mixed up change places with one tap.
async function assign(tile, letter, isLast) {
  const line = picking;
  if (!line) return;
  picking = null;
  $("detail-hint").textContent = "";
  const other = tile.players.find((one) =>
    one !== line && one.photo === line.photo && one.letter === letter);
  const letters = { [line.player]: letter, ...(other ? { [other.player]: line.letter } : {}) };
  if (named(() => "yes")) await send("letters", tile, line, { letters }, isLast);
}

function actions(tile, line, isLast) {
  const decide = (accept) => () => send("decisions", tile, line, { accept }, isLast);
  const correct = (fixes) => () => send("corrections", tile, line, { fixes }, isLast);
  const asked = (n) => () => named((by) => text("sure", { n, player: line.player, by }));
  const made = proposals(line, correct);
  if (line.accepted) {
    made.push(twice(text("withdraw"), () => named(() => text("withdrawSure")), decide(null)));
  } else if (line.claimed !== null && line.state !== "agrees") {
    if (line.read !== null) {
      made.push(twice(text("acceptPhoto", { n: line.read }), asked(line.read), decide("photo")));
    }
    made.push(twice(text("acceptClaim", { n: line.claimed }), asked(line.claimed), decide("claim")));
    made.push(written("number", "number", (n) => send("decisions", tile, line, { accept: Number(n) }, isLast)));
  }
  if (line.photo) {
    made.push(button(text("pickKingdom", { letter: line.letter || "?" }), () => pick(line)));
    made.push(written("correct", "text", (words) => correct(fixesOf(words, line.letter))()));
  }
  if (line.claimed !== null) {
    const sure = () => named(() => text("reopenSure", { player: line.player }));
    made.push(twice(text("reopen"), sure, () => send("reopen", tile, line, {}, isLast)));
  }
  return made;
}

// What the table would have read otherwise, square by square, to be taken or turned down.
function proposals(line, correct) {
  const made = line.proposals.flatMap((proposal) => {
    const squares = proposal.squares.map((one) => `${one.place}: ${one.read} → ${one.proposed}`);
    const fixes = Object.fromEntries(proposal.squares.map((one) => [one.place, one.proposed]));
    return [
      make("span", text("proposed", { by: proposal.by, squares: squares.join(", ") }), "flag"),
      twice(text("takeProposal"), () => named((by) => text("takeSure", { by })), correct(fixes)),
    ];
  });
  if (made.length) {
    made.push(twice(text("turnDown"), () => named((by) => text("turnDownSure", { by })), correct({})));
  }
  return made;
}

// "b3=W1 c4=G" as the server takes it, in the kingdom of a letter.
function fixesOf(words, letter) {
  const pairs = words.trim().split(/[\s,;]+/).map((word) => word.split("="));
  const named = (place) => (letter && !place.includes(".") ? `${letter}.${place}` : place);
  return Object.fromEntries(pairs.map(([place, cell]) => [named(place), (cell ?? "").toUpperCase()]));
}

// A button that opens a field, and does something with what is written there.
function written(name, kind, act) {
  const form = make("form", "", "written");
  const field = make("input");
  Object.assign(field, { type: kind, ariaLabel: text(name), placeholder: text(`${name}Example`), hidden: true });
  if (kind === "number") Object.assign(field, { min: 0, max: 999, inputMode: "numeric" });
  const submit = make("button", text(name), "quiet");
  form.append(field, submit);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.hidden) {
      field.hidden = false;
      field.focus();
    } else if (field.value.trim() && named(() => "yes")) {
      act(field.value);
    }
  });
  return form;
}

// What is asked once there is a name to answer for it.
function named(question) {
  const by = $("by").value.trim();
  if (by) return question(by);
  $("detail").close();
  $("by").focus();
  say(text("needsName"));
  return null;
}

async function send(what, tile, line, more, isLast) {
  const about = { round: tile.round, table: tile.table, player: line.player };
  try {
    const by = $("by").value.trim();
    const found = await ask("POST", inLanguage(`/api/board/${what}`), { ...about, by, ...more });
    // Newer than all that was asked for before.
    asking()();
    tag = "";
    show(found);
    say("");
    const now = tilesOf(tile.round).find((one) => one.table === tile.table);
    if (now && isLast()) await drawDetail(now, isLast);
  } catch (error) {
    if (isLast()) $("detail").close();
    say(text("failed", { why: error.message }));
  }
}

// ---------------------------------------------------------------- the log

async function drawLog() {
  const isNews = logging();
  const { events } = await ask("GET", "/api/board/log").catch((error) => {
    say(text("failed", { why: error.message }));
    return {};
  });
  if (!events || !isNews()) return;
  $("log").replaceChildren(...events.reverse().map((one) => {
    const kind = text(`event-${one.kind}`);
    const { before, after } = one.value;
    const what = before === null ? `${after ?? ""}` : `${before} → ${after ?? "–"}`;
    const where = placeText(one.round, one.table);
    const who = one.by || text("desk");
    return make("li", `${clock(one.at)} ${where}: ${who} ${kind} ${what} (${one.player})`);
  }));
}

// ---------------------------------------------------------------- start

async function start() {
  fillTexts("board");
  $("by").value = localStorage.getItem("desk name") || "";
  $("by").addEventListener("change", () => localStorage.setItem("desk name", $("by").value.trim()));
  $("log-part").addEventListener("toggle", () => { if ($("log-part").open) drawLog(); });
  document.addEventListener("visibilitychange", refresh);
  await refresh();
  setInterval(refresh, REFRESH_MS);
  document.body.dataset.ready = "yes";
}

start();

// The page of an evening: what all phones share, where this one is, changes and how they are taken back.

import { ask } from "./dialogs.js";
import { $, dayOf, nameOf, remember, remembered, say, text } from "./dom.js";
import { drawEvening } from "./evening.js";
import { drawGame, drawPending } from "./game.js";
import { backToSquare, drawKingdom, neighbourOf, onKey } from "./kingdom.js";
import { failed, outbox, Refused, request, watched, whyNot } from "./net.js";

const REFRESH_MS = 1500;
// An evening in which nothing was said for so long is not today's.
const OLD_S = 6 * 3600;
// So long undo stands after a change; the history has it for good.
const UNDO_MS = 12_000;
const VIEWS = ["game", "kingdom", "evening", "history", "large"];
const NO_GAME = { id: "", name: "1", seats: [], unassigned: [], rules: {}, photos: 0, colours: true };
const WIDE = matchMedia("(min-width: 50rem)");
let evening = { games: [], evenings: [], evening: {}, current: {}, game: null };
let ranking = [];
// An older evening that is shown; empty for the current one.
let older = "";
// A game that somebody opened; empty where this phone follows to what is current.
let moved = remembered("moved", "");
// The photo whose kingdom is shown, as the server last gave it, and the log of the game.
let photo = null, log = [];
// The game for which a photo is being taken: another one may begin meanwhile.
let shotFor = "";
// What is on its way, and photos that were refused, with the reason.
let waiting = [], refused = [];
// What was changed here and is being saved, by what it is about.
const saving = new Map();
let lastChange = null, undoTimer = 0;

const path = (name) => {
  const query = new URLSearchParams();
  const { view, rest } = route();
  const id = view === "kingdom" && photo?.id === rest[0] ? photo.game : moved;
  if (older) query.set("evening", older);
  if (id && name === "evening") query.set("game", id);
  return `/api/${name}?${query}`;
};

const refreshEvening = watched(() => path("evening"), async (latest) => {
  const before = evening.game?.id, followed = !older && !moved && before && latest.game?.id !== before;
  evening = latest;
  if (moved && evening.game?.id !== moved && route().view !== "kingdom") follow();
  remember("evening", evening);
  await draw();
  if (followed && route().view === "game") say(text("page.new-begun", { game: game().name }));
});
const refreshRanking = watched(() => path("ranking"), async (latest) => {
  ranking = latest;
  await draw();
});
async function refresh() {
  await refreshEvening();
  $("offline").hidden = true;
  if (WIDE.matches || ["evening", "large"].includes(route().view)) await refreshRanking();
}

// ---- where this phone is

const route = () => {
  const [view, ...rest] = location.hash.slice(1).split("/").map(decodeURIComponent);
  return { view: VIEWS.includes(view) ? view : "game", rest };
};

const game = () => evening.game ?? NO_GAME;

// Show a game, and stay there; the current one is followed by the next.
function move(id) {
  moved = !older && id === evening.current.game ? "" : id;
  remember("moved", moved);
}
const follow = () => move(evening.current.game);

// Whether the evening that is shown is not today's.
const isOld = () => Boolean(older) && older !== evening.current.evening
  || !evening.sheet && Date.now() / 1000 - (evening.evening.last ?? Infinity) > OLD_S;

function drawWhere() {
  const { current, games } = evening, old = isOld();
  const at = (id) => games.findIndex((each) => each.id === id);
  const has = !older && !evening.sheet && moved && at(current.game) > at(game().id);
  document.body.classList.toggle("old", old);
  $("where").hidden = !(old || has);
  $("where-text").textContent = old ? text("page.old-evening", { day: dayOf(evening.evening) })
    : text("page.has-begun", { game: current.name ?? "" });
  const leads = older ? "page.to-current" : old ? "page.new-evening" : "page.to-game";
  $("to-current").textContent = text(leads, { game: current.name ?? "" });
}

async function toCurrent() {
  if (!older && isOld()) return newEvening();
  older = "";
  follow();
  location.hash = "";
  return refresh().catch(failed);
}

// ---- drawing

async function draw() {
  const { view, rest } = route();
  if (view === "kingdom") await drawPhoto(...rest);
  if (view === "history") await drawLog();
  if (view !== route().view) return;
  document.body.dataset.view = view;
  $("back").hidden = ["game", "evening"].includes(view);
  $("back").href = view === "large" ? "#evening" : "#";
  $("next").hidden = view !== "kingdom" || !neighbourOf(page, rest, 1);
  for (const tab of $("tabs").children) tab.ariaCurrent = tab.dataset.view === view ? "page" : null;
  if (view !== "kingdom") setTitle(titleOf(view));
  document.body.classList.toggle("sheet", Boolean(evening.sheet));
  drawWhere();
  drawGame(page);
  drawEvening(page);
  if (view === "large") await drawProjector();
}

// What few phones ever show is loaded when it is asked for.
async function drawProjector() {
  const { drawLarge } = await import("./large.js");
  if (route().view === "large") drawLarge(ranking);
}

function titleOf(view) {
  if (view === "game") return text("page.game", { game: game().name });
  if (view === "history") return text("page.history-of", { game: game().name });
  return text(view === "large" ? "page.ranking" : "page.evening");
}

function setTitle(words) {
  $("title").textContent = words;
  document.title = `${words} · kdscore`;
}

async function drawPhoto(id, letter) {
  const fresh = await request("GET", `/api/photos/${encodeURIComponent(id)}`);
  const { view, rest } = route();
  if (view !== "kingdom" || rest[0] !== id || rest[1] !== letter) return;
  if (!fresh.views.some((each) => each.letter === letter)) {
    location.hash = "";
    return;
  }
  photo = fresh;
  // Its game is another one than that which was asked for.
  if (photo.game !== game().id) refresh().catch(failed);
  const seat = game().seats.find((each) => each.photos?.some(([at, name]) => at === id && name === letter));
  setTitle(seat ? nameOf(seat) : text("page.kingdom"));
  drawKingdom(page, photo, letter, seat ?? null);
}

async function drawLog() {
  log = await request("GET", `/api/games/${game().id}/log`);
  const { drawHistory } = await import("./history.js");
  drawHistory(page, log);
}

// ---- changes

// Changes go one after the other.
let before = Promise.resolve();
function inTurn(act) {
  const mine = before.then(act);
  before = mine.catch(() => {});
  return mine;
}

// Say what was done, and offer to take it back for a while.
function done(label, entries) {
  lastChange = entries?.length ? { label, entries } : null;
  clearTimeout(undoTimer);
  undoTimer = setTimeout(() => { lastChange = null; drawUndo(); }, UNDO_MS);
  say(label);
  drawUndo();
}

// What undo takes back stands beside it, or on it where something else stands there.
function drawUndo() {
  $("undo").hidden = !lastChange;
  const label = lastChange?.label;
  $("undo-what").textContent = !label || label === $("status").textContent ? "" : `: ${label}`;
}

// Make a change. It is shown at once, as `shows` says by what it is about, and marked until it is saved.
// What the server refuses is said, unless `otherwise` takes it; `later` keeps what finds no network.
async function change(label, call, shows, { otherwise = failed, later = null } = {}) {
  const keys = Object.keys(shows);
  // A second tap while it is under way.
  if (keys.every((key) => saving.get(key) === shows[key])) return null;
  for (const key of keys) saving.set(key, shows[key]);
  draw().catch(() => {});
  const error = await inTurn(() => save(label, call));
  for (const key of keys) if (saving.get(key) === shows[key]) saving.delete(key);
  if (error && later && !(error instanceof Refused)) return later();
  if (error) await refresh().catch(() => {});
  await draw().catch(() => {});
  return error && otherwise(error);
}

// Send a change and show what has come of it; give what went wrong, if anything.
async function save(label, call) {
  try {
    const { entries } = await request(...call);
    await refresh().catch(() => {});
    done(label, entries);
    return null;
  } catch (error) {
    return error;
  }
}

// What is shown of a thing: what was changed here and is not saved yet, else what the server says.
function shown(key, saved) {
  if (saving.has(key)) return saving.get(key);
  const item = waiting.findLast((each) => each.shows && key in each.shows);
  return item ? item.shows[key] : saved;
}
const isSaving = (key) => saving.has(key) || waiting.some((each) => each.shows && key in each.shows);

const undo = () => inTurn(async () => {
  const taken = lastChange;
  lastChange = null;
  drawUndo();
  for (const id of taken?.entries.toReversed() ?? []) await takeBack(id, true);
});

// Take an entry of the log back, or put it back.
async function takeBack(id, undone) {
  try {
    await request("POST", `/api/log/${id}/undo`, { undone });
    await refresh();
    await draw();
    say(text(undone ? "page.undone" : "page.redone"));
  } catch (error) {
    failed(error);
    refresh().catch(() => {});
  }
}

function writeRules(rules) {
  const shows = Object.fromEntries(Object.entries(rules).map(([name, value]) => [`rule.${name}`, value]));
  return change(text("page.rules-changed"), ["PUT", `/api/games/${game().id}`, rules], shows);
}

// Write a field of a seat. What somebody has settled meanwhile is asked about; names and claims wait for
// the network.
function writeSeat(label, id, seat, fields) {
  const call = ["PUT", `/api/games/${id}/seats/${seat.colour}`, fields];
  const [name] = Object.keys(fields), shows = { [`${name}.${id}.${seat.colour}`]: fields[name] };
  const later = name === "accept" ? null : () => box.addCall(call, { label, shows });
  return change(label, call, shows, { later, async otherwise(error) {
    if (error.code !== "settled") return failed(error);
    const now = game().seats.find((each) => each.colour === seat.colour);
    const answer = await ask(`${error.message} ${text("page.settle-anyway")}`, { yes: text("page.change") });
    return answer && writeSeat(label, id, seat, { ...fields, instead_of: now.settled });
  } });
}

// Say whose a kingdom is.
const place = (label, { photo: id, letter }, seat, again = false) => change(label,
  ["PUT", `/api/photos/${id}/kingdoms/${letter}`, { seat, again }], { [`owner.${id}.${letter}`]: seat });

// Correct squares of a photo, by their places.
const fix = (label, of, faces) => change(label, ["POST", `/api/photos/${of.id}/fixes`, faces],
  Object.fromEntries(Object.entries(faces).map(([at, face]) => [`square.${of.id}.${at}`, face])));

// Confirm a doubtful total: by the squares that settle it, where there are such.
function confirmTotal(of, { fixes }, score, seat) {
  const label = text("page.settled", { player: seat ? nameOf(seat) : text("page.kingdom"), total: score });
  if (Object.keys(fixes).length) return fix(label, of, fixes);
  return writeSeat(label, game().id, seat, { accept: score });
}

// Take a photo out of its game.
function deletePhoto(of) {
  location.replace("#");
  return change(text("page.photo-deleted"), ["DELETE", `/api/photos/${of.id}`], { [`photo.${of.id}`]: true });
}

async function newGame() {
  // A name that was written just before the tap is on its way.
  await before;
  try {
    await request("POST", "/api/games");
    await toCurrent();
    say(text("page.new-begun", { game: game().name }));
  } catch (error) {
    failed(error);
  }
}

async function evenings(method, id, data) {
  // An evening that is being deleted is not asked for any more.
  if (method !== "PUT") older = "";
  try {
    if (method === "DELETE") await refresh();
    const answer = await request(method, `/api/evenings${id}`, data);
    await refresh();
    return answer;
  } catch (error) {
    return failed(error);
  }
}

async function newEvening() {
  if (!await evenings("POST", "")) return;
  follow();
  location.hash = "";
  await refresh().catch(failed);
}

// ---- photos

const showPending = () => drawPending(page, [...waiting.filter((item) => item.photo), ...refused]);

const box = outbox({
  changed: (all) => { waiting = all; showPending(); },
  unkept: () => say(text("page.no-store")),
  async arrived(answer, item) {
    await refresh().catch(() => {});
    done(item.label ?? text("page.arrived", { n: answer.hidden ?? answer.views.length }), answer.entries);
  },
  refused(error, sent) {
    const why = whyNot(error);
    if (sent.photo) refused.push({ ...sent, error: why });
    showPending();
    // The game has the photo with the reason beside it; the other views are told.
    say(route().view === "game" && sent.photo ? "" : why);
  },
  later(error, all) {
    if (error instanceof Refused) failed(error);
    else sayOffline(all);
  },
});

function sayOffline(all = waiting) {
  $("offline").hidden = false;
  const photos = all.filter((item) => item.photo).length;
  if (photos) say(text("page.waiting", { n: photos }));
}

// Send the photos that were chosen, for the game that is shown; of an old evening it is asked which.
async function take(field) {
  const files = [...field.files];
  let id = shotFor || game().id;
  field.value = shotFor = "";
  if (files.length && isOld()) {
    const day = dayOf(evening.evening);
    const answer = await ask(text("page.which-evening", { day }), { today: text("page.for-today"), there: text("page.for-that") });
    if (!answer) return;
    if (answer === "today") {
      await toCurrent();
      id = game().id;
    }
  }
  const options = id ? { game: id } : {};
  await Promise.all(files.map((chosen) => box.add(chosen, { options })));
}

const page = {
  game, writeSeat, place, fix, confirmTotal, evenings, takeBack, shown, isSaving, isOld,
  evening: () => evening,
  ranking: () => ranking,
  discard(key) {
    refused = refused.filter((each) => each.key !== key);
    showPending();
  },
  openEvening(id) {
    older = id === evening.current.evening ? "" : id;
    follow();
    if (older) move("");
    refresh().catch(failed);
  },
};

// ---- start

// A swipe to the side leads to the next kingdom.
function listenToSwipes() {
  const SWIPE_PX = 60;
  let from = null;
  $("view-kingdom").addEventListener("touchstart", ({ touches }) => {
    from = touches.length === 1 ? touches[0] : null;
  }, { passive: true });
  $("view-kingdom").addEventListener("touchend", ({ changedTouches: [to] }) => {
    if (!from) return;
    const across = to.clientX - from.clientX, down = to.clientY - from.clientY;
    const target = Math.abs(across) > SWIPE_PX && Math.abs(across) > 2 * Math.abs(down)
      && neighbourOf(page, route().rest, across < 0 ? 1 : -1);
    if (target) location.replace(target.href);
  });
}

async function onHash() {
  const { view, rest } = route();
  say("");
  if (view === "game" && rest[0]) {
    move(rest[0]);
    history.replaceState(null, "", "#");
    await refresh().catch(failed);
  }
  await draw().catch(failed);
  if (["evening", "large"].includes(view)) refresh().catch(failed);
  $("title").focus({ preventScroll: true });
  ($(rest[0]) ?? document.body).scrollIntoView();
}

function listen() {
  new MutationObserver(drawUndo).observe($("status"), { childList: true });
  for (const id of ["camera", "file", "again"]) {
    $(id).addEventListener("click", () => { shotFor = game().id; });
    $(id).addEventListener("change", () => {
      if (id === "again") location.hash = "";
      take($(id));
    });
  }
  $("new").addEventListener("click", newGame);
  $("undo").addEventListener("click", undo);
  $("to-current").addEventListener("click", toCurrent);
  $("share").addEventListener("click", async () => (await import("./share.js")).share(page));
  $("evening-name").addEventListener("change", async () => {
    const answer = await evenings("PUT", `/${evening.evening.id}`, { name: $("evening-name").value });
    if (answer) done(text("page.evening-named"), answer.entries);
  });
  $("new-evening").addEventListener("click", newEvening);
  $("delete-evening").addEventListener("click", async () => {
    const { id, name } = evening.evening, words = `${dayOf(evening.evening)} ${name}`.trim();
    const answer = await ask(text("page.delete-sure", { evening: words }), { yes: text("page.delete") });
    if (answer) await evenings("DELETE", `/${id}`);
  });
  for (const bonus of document.querySelectorAll("#rules input")) {
    bonus.addEventListener("change", () => writeRules({ [bonus.id]: bonus.checked }));
  }
  $("size").addEventListener("change", () => writeRules({ size: Number($("size").value) || null }));
  $("edges").addEventListener("click", () => {
    const on = $("edges").getAttribute("aria-pressed") !== "true";
    $("edges").setAttribute("aria-pressed", String(on));
    draw().catch(failed);
  });
  $("delete").addEventListener("click", () => deletePhoto(photo));
  $("board").addEventListener("keydown", onKey);
  $("square").addEventListener("close", backToSquare);
  listenToSwipes();
  // What came while somebody wrote is drawn once they have.
  $("view-game").addEventListener("focusout", () => setTimeout(draw));
  addEventListener("hashchange", onHash);
  addEventListener("resize", () => route().view === "large" && drawProjector());
  addEventListener("offline", () => sayOffline());
  addEventListener("online", () => { box.run(); });
  // A phone that has to sign in again would show what is old for good, and not say so.
  const look = () => document.hidden || refresh().catch((error) => {
    if (!(error instanceof Refused)) sayOffline([]);
    if (error.status === 401) failed(error);
  });
  setInterval(look, REFRESH_MS);
}

async function start() {
  listen();
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {});
  const { view, rest } = route(), opened = view === "game" ? rest[0] : "";
  if (opened) {
    moved = opened;
    history.replaceState(null, "", "#");
  }
  try {
    await refresh();
    if (opened) move(game().id);
    // The organiser of a tournament begins with what waits.
    if (!location.hash && evening.sheet && evening.organiser && !opened && !moved) location.replace("#evening");
  } catch (error) {
    // What is photographed without network is for the game that this phone showed last.
    evening = remembered("evening", evening);
    await draw().catch(() => {});
    if (error instanceof Refused) failed(error);
    else sayOffline();
  }
  await box.run();
  document.body.dataset.ready = "yes";
}

start();

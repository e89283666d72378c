// The page of an evening: what all phones share, changes and how they are taken back, its views.

import { $, faceName, nameOf, remember, remembered, say, text } from "./dom.js";
import { drawEvening, drawLarge, share } from "./evening.js";
import { drawGame, drawPending } from "./game.js";
import { backToSquare, drawKingdom, onKey } from "./kingdom.js";
import { ask, failed, outbox, Refused, watched, whyNot } from "./net.js";

const REFRESH_MS = 1500;
const VIEWS = ["game", "kingdom", "evening", "large"];
const NO_GAME = { id: "", name: "1", seats: [], unassigned: [], rules: {}, photos: 0, colours: true };
let evening = { games: [], ranking: [], evenings: [], evening: {} };
// An older evening that is shown; empty for the latest.
let older = "";
// The photo whose kingdom is shown, as the server last gave it.
let photo = null;
// The game for which a photo is being taken: another one may begin meanwhile.
let shotFor = "";
// Photos on their way, and those that were refused, with the reason.
let waiting = [], refused = [];
// What can be taken back, also after a reload: what it was, and the calls that do so.
const TAB = "sessionStorage";
const steps = remembered("steps", [], TAB);

const refresh = watched(() => `/api/evening${older && `?evening=${older}`}`, async (latest) => {
  evening = latest;
  remember("evening", { ...latest, ranking: [] });
  await draw();
});

// ---- what there is

const route = () => {
  const [view, ...rest] = location.hash.slice(1).split("/").map(decodeURIComponent);
  return { view: VIEWS.includes(view) ? view : "game", rest };
};

// The game that is shown: the one that was opened, the one of the kingdom, or that it was opened from, else
// the last.
function game() {
  const { view, rest } = route();
  const { games } = evening, called = (id) => games.find((each) => each.id === id);
  const has = (each) => each.seats.some((seat) => (seat.photos ?? []).some(([id]) => id === rest[0]))
    || each.unassigned.some((kingdom) => kingdom.photo === rest[0]);
  const opened = view === "game" ? called(rest[0]) : view === "kingdom" ? games.find(has) : null;
  return opened ?? called(remembered("game", "")) ?? games.at(-1) ?? NO_GAME;
}

async function draw() {
  const { view, rest } = route();
  if (view === "kingdom") await drawPhoto(...rest);
  if (view !== route().view) return;
  document.body.dataset.view = view;
  $("back").hidden = !["kingdom", "large"].includes(view);
  $("back").href = view === "large" ? "#evening" : `#game/${game().id}`;
  for (const tab of $("tabs").children) tab.ariaCurrent = tab.dataset.view === view ? "page" : null;
  if (view === "game") remember("game", game().id);
  if (view !== "kingdom") {
    $("title").textContent = view === "game" ? text("page.game", { game: game().name })
      : text(view === "large" ? "page.ranking" : "page.evening");
  }
  document.body.classList.toggle("sheet", Boolean(evening.sheet));
  drawGame(page);
  drawEvening(page);
  if (view === "large") drawLarge(evening.ranking);
}

// What undo takes back stands beside it, or on it where something else stands there.
function drawUndo() {
  const label = steps.at(-1)?.label;
  $("undo").hidden = !label;
  $("undo-what").textContent = label === $("status").textContent ? "" : `: ${label}`;
}

function keepSteps() {
  remember("steps", steps, TAB);
  drawUndo();
}

async function drawPhoto(id, letter) {
  const fresh = await ask("GET", `/api/photos/${encodeURIComponent(id)}`);
  const { view, rest } = route();
  if (view !== "kingdom" || rest[0] !== id || rest[1] !== letter) return;
  if (!fresh.views.some((each) => each.letter === letter)) {
    location.hash = "";
    return;
  }
  photo = fresh;
  const seat = game().seats.find((each) => each.photos?.some(([at, name]) => at === id && name === letter));
  $("title").textContent = seat ? nameOf(seat) : text("page.kingdom");
  drawKingdom(page, photo, letter, seat ?? null);
}

// ---- changes

// Show what has come of a change, and say what was done; `calls` are the methods, paths and bodies that
// take it back.
async function done(label, calls) {
  steps.push({ label, calls });
  keepSteps();
  await refresh().catch(failed);
  say(label);
}

// Changes go one after the other: what is taken back is what came last.
let before = Promise.resolve();
function inTurn(act) {
  const mine = before.then(act);
  before = mine.catch(() => {});
  return mine;
}

// Make a change, remember how it is taken back, and show what comes of it. What the server refuses is
// said, unless `otherwise` takes it.
const change = (label, method, path, data, inverse, otherwise = failed) => inTurn(async () => {
  try {
    await done(label, inverse(await ask(method, path, data)));
  } catch (error) {
    await refresh().catch(() => {});
    otherwise(error);
  }
});

const undo = () => inTurn(async () => {
  const step = steps.at(-1);
  if (!step) return;
  try {
    for (const [method, path, data] of step.calls) await ask(method, path, data);
    steps.pop();
    keepSteps();
    await refresh();
    say(text("page.undone", { what: step.label }));
  } catch (error) {
    // What can never be taken back must not stand before what can.
    if (error instanceof Refused) steps.pop();
    keepSteps();
    failed(error);
  }
});

function writeRules(rules) {
  const path = `/api/games/${game().id}`;
  return change(text("page.rules-changed"), "PUT", path, rules, (answer) => [["PUT", path, answer.before]]);
}

// Write fields of a seat. What somebody has settled meanwhile is asked about.
function writeSeat(label, id, seat, fields) {
  const path = `/api/games/${id}/seats/${seat.colour}`;
  const back = (answer) => [["PUT", path,
    { ...answer.before, ...("accept" in fields ? { instead_of: fields.accept } : {}) }]];
  return change(label, "PUT", path, fields, back, (error) => {
    if (error.code !== "settled") return failed(error);
    const now = evening.games.find((each) => each.id === id).seats.find((each) => each.colour === seat.colour);
    return confirm(`${error.message} ${text("page.settle-anyway")}`)
      && writeSeat(label, id, seat, { ...fields, instead_of: now.settled });
  });
}

// Say whose a kingdom is.
function place(label, { photo: id, letter }, seat, again = false) {
  const call = (shot, name, owner) => ["PUT", `/api/photos/${shot}/kingdoms/${name}`, { seat: owner }];
  const [method, path] = call(id, letter);
  return change(label, method, path, { seat, again }, (answer) => answer.before.map((given) => call(...given)));
}

// Correct squares of a photo, by their places.
function fix(label, shown, faces) {
  const path = `/api/photos/${shown.id}/fixes`;
  const had = Object.fromEntries(Object.keys(faces).map((at) => [at, shown.fixes[at] ?? null]));
  return change(label, "POST", path, faces, () => [["POST", path, had]]);
}

// Confirm a doubtful total: by the squares that settle it, where there are such.
function confirmTotal(shown, { fixes }, score, seat) {
  const label = text("page.settled", { player: seat ? nameOf(seat) : text("page.kingdom"), total: score });
  if (Object.keys(fixes).length) return fix(label, shown, fixes);
  return writeSeat(label, game().id, seat, { accept: "photo" });
}

// Take a photo out of its game.
function deletePhoto(shown) {
  const path = `/api/photos/${shown.id}`, home = $("back").hash;
  return change(text("page.photo-deleted"), "DELETE", path, undefined, () => {
    // In the place of the kingdom: the way back leads to none that is in no game.
    location.replace(home);
    return [["POST", `${path}/restored`]];
  });
}

async function newGame() {
  // A name that was written just before the tap is on its way.
  await before;
  try {
    const { id } = await ask("POST", "/api/games");
    older = "";
    location.hash = `#game/${id}`;
    await refresh();
    say(text("page.new-begun", { game: game().name }));
  } catch (error) {
    failed(error);
  }
}

async function evenings(method, path, data) {
  // An evening that is being deleted is not asked for any more.
  if (method !== "PUT") older = "";
  try {
    await ask(method, `/api/evenings${path}`, data);
    await refresh();
    return true;
  } catch (error) {
    return failed(error);
  }
}

// ---- photos

const showPending = () => drawPending(page, [...waiting, ...refused]);

const photos = outbox({
  changed: (all) => { waiting = all; showPending(); },
  unkept: () => say(text("page.no-store")),
  async arrived(answer) {
    const count = answer.hidden ?? answer.views.length;
    await done(text("page.arrived", { n: count }), [["DELETE", `/api/photos/${answer.id}`]]);
  },
  refused(error, sent) {
    const why = whyNot(error);
    refused.push({ ...sent, error: why });
    showPending();
    // The game has the photo with the reason beside it; the other views are told.
    say(route().view === "game" ? "" : why);
  },
  later(error, all) {
    say(error instanceof Refused ? whyNot(error) : text("page.waiting", { n: all.length }));
  },
});

// Send the photos that were chosen, for the game that is shown.
async function take(field) {
  const files = [...field.files];
  const id = shotFor || game().id, options = id ? { game: id } : {};
  field.value = shotFor = "";
  await Promise.all(files.map((chosen) => photos.add(chosen, { options })));
}

const page = {
  game, writeSeat, place, fix, confirmTotal, evenings,
  evening: () => evening,
  discard(key) {
    refused = refused.filter((each) => each.key !== key);
    showPending();
  },
  openEvening(id) {
    older = id;
    refresh().catch(failed);
  },
};

// ---- start

function listen() {
  new MutationObserver(drawUndo).observe($("status"), { childList: true });
  drawUndo();
  for (const id of ["camera", "file", "again"]) {
    $(id).addEventListener("click", () => { shotFor = game().id; });
    $(id).addEventListener("change", () => {
      if (id === "again") location.hash = $("back").hash;
      take($(id));
    });
  }
  $("new").addEventListener("click", newGame);
  $("undo").addEventListener("click", undo);
  $("share").addEventListener("click", () => share(game()));
  $("evening-name").addEventListener("change", () =>
    evenings("PUT", `/${evening.evening.id}`, { name: $("evening-name").value }));
  $("new-evening").addEventListener("click", async () => {
    if (await evenings("POST", "")) location.hash = "";
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
  // What came while somebody wrote is drawn once they have.
  $("view-game").addEventListener("focusout", () => setTimeout(draw));
  addEventListener("hashchange", () => {
    say("");
    draw().then(() => $("title").focus({ preventScroll: true })).catch(failed);
    ($(route().rest[0]) ?? document.body).scrollIntoView();
  });
  // A phone that has to sign in again would show what is old for good, and not say so.
  const look = () => document.hidden || refresh().catch((error) => error.status === 401 && failed(error));
  setInterval(look, REFRESH_MS);
}

async function start() {
  listen();
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {});
  try {
    await refresh();
  } catch (error) {
    // What is photographed without network is for the game that this phone showed last.
    evening = remembered("evening", evening);
    await draw().catch(() => {});
    failed(error);
  }
  await photos.run();
  document.body.dataset.ready = "yes";
}

start();

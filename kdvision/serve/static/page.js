// The page of an evening: what all phones share, changes and how they are taken back, its views.

import { $, faceName, make, nameOf, remember, remembered, say, text } from "./dom.js";
import { drawEvening, drawLarge, share } from "./evening.js";
import { drawGame, drawPending, showProgress } from "./game.js";
import { backToSquare, drawKingdom, onKey } from "./kingdom.js";
import { ask, failed, inOrder, outbox, Refused, watched, whyNot } from "./net.js";

const REFRESH_MS = 1500;
// Changes that can be taken back.
const MOST_UNDO = 50;
const VIEWS = ["game", "kingdom", "evening", "large"];
const showing = inOrder();
let evening = null;
// An older evening that is shown; empty for the latest.
let older = "";
// The name of the server's data file: what was changed in another one cannot be taken back in this one.
let file = "";
// The photo whose kingdom is shown, as the server last gave it.
let photo = null;
// The game for which a photo is being taken: another one may begin meanwhile.
let shotFor = "";
// Photos on their way, and those that were refused, with the reason.
let waiting = [], refused = [];

const watching = watched(() => `/api/evening${older && `?evening=${older}`}`, async (latest, tag) => {
  evening = latest;
  [file] = tag.split("-");
  remember("evening", { ...latest, ranking: [] });
  await draw();
});
const refresh = () => watching.look();

// ---------------------------------------------------------------- what there is

const route = () => {
  const [view, ...rest] = location.hash.slice(1).split("/").map(decodeURIComponent);
  return { view: VIEWS.includes(view) ? view : "game", rest };
};

const NO_GAME = { id: "", name: "1", seats: [], unassigned: [], rules: {}, photos: 0, colours: true };

// The game that is shown: the one that was opened, the one of the kingdom, or that it was opened from, else
// the last.
function game() {
  const { view, rest } = route();
  const { games } = evening, called = (id) => games.find((each) => each.id === id);
  const has = (each) => [...each.seats, ...each.unassigned].some((had) => had.photo === rest[0]);
  const opened = view === "game" ? called(rest[0]) : view === "kingdom" ? games.find(has) : null;
  return opened ?? called(remembered("game", "")) ?? games.at(-1) ?? NO_GAME;
}

async function draw() {
  const { view, rest } = route();
  if (view === "kingdom") await showKingdom(...rest);
  if (view !== route().view) return;
  document.body.dataset.view = view;
  $("back").hidden = !["kingdom", "large"].includes(view);
  $("back").href = view === "large" ? "#evening" : `#game/${encodeURIComponent(game().id)}`;
  for (const tab of $("tabs").children) {
    if (tab.dataset.view === view) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  if (view === "game") remember("game", game().id);
  if (view !== "kingdom") {
    $("title").textContent = view === "game" ? text("page.game", { game: game().name })
      : text(view === "large" ? "page.ranking" : "page.evening");
  }
  drawGame(page);
  drawEvening(page);
  if (view === "large") drawLarge(evening.ranking);
  $("names").replaceChildren(...evening.names.map((value) => make("option", { value })));
  const step = undoSteps().at(-1);
  $("undo").hidden = !step;
  $("undo").setAttribute("aria-label", step ? text("page.undo-what", { what: step.label }) : "");
}

async function showKingdom(id, letter) {
  const isNews = showing();
  const fresh = await ask("GET", `/api/photos/${encodeURIComponent(id)}`);
  const { view, rest } = route();
  if (!isNews() || view !== "kingdom" || rest[0] !== id || rest[1] !== letter) return;
  if (!fresh.views.some((each) => each.letter === letter)) {
    location.hash = "";
    return;
  }
  photo = fresh;
  const seat = game().seats.find((each) => each.photos.some(([at, name]) => at === id && name === letter));
  $("title").textContent = seat ? nameOf(seat) : text("page.kingdom");
  drawKingdom(page, photo, letter, seat ?? null);
}

// ---------------------------------------------------------------- changes

function undoSteps() {
  const kept = remembered("undo", {});
  return kept.file === file ? kept.steps : [];
}

const keepSteps = (steps) => remember("undo", { file, steps });

// Keep how something is taken back, show what has come of it, and say what was done: `calls` are
// methods, paths and bodies.
async function done(label, calls) {
  keepSteps([...undoSteps(), { label, calls }].slice(-MOST_UNDO));
  watching.changed();
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
    return true;
  } catch (error) {
    otherwise(error);
    await refresh().catch(() => {});
    return false;
  }
});

const undo = () => inTurn(async () => {
  const steps = undoSteps(), step = steps.pop();
  if (!step) return;
  try {
    for (const [method, path, data] of step.calls) await ask(method, path, data);
    keepSteps(steps);
    watching.changed();
    await refresh();
    say(text("page.undone", { what: step.label }));
  } catch (error) {
    // What can never be taken back must not stand before what can.
    if (error instanceof Refused) keepSteps(steps);
    failed(error);
    await draw().catch(() => {});
  }
});

const gamePath = (id) => `/api/games/${encodeURIComponent(id)}`;

// Write fields of a game: its name, its rules, whether it is deleted.
const writeGame = (label, fields, id = game().id) =>
  change(label, "PUT", gamePath(id), fields, (answer) => [["PUT", gamePath(id), answer.before]]);

// Write fields of a seat. What somebody has settled meanwhile is asked about.
function writeSeat(label, id, seat, fields) {
  const path = `${gamePath(id)}/seats/${seat.colour}`;
  const back = (answer) => [["PUT", path,
    { ...answer.before, ...("accept" in fields ? { instead_of: fields.accept } : {}) }]];
  return change(label, "PUT", path, fields, back, (error) => {
    if (error.code !== "settled") return failed(error);
    return confirmed(error.message, text("page.settle-anyway"), () => {
      const now = evening.games.find((each) => each.id === id).seats.find((each) => each.colour === seat.colour);
      writeSeat(label, id, seat, { ...fields, instead_of: now.settled });
    });
  });
}

// Say whose a kingdom is.
function place(label, kingdom, seat, again = false) {
  const pathOf = (id, letter) => `/api/photos/${id}/kingdoms/${letter}`;
  const path = pathOf(kingdom.photo, kingdom.letter);
  return change(label, "PUT", path, { seat, again }, (answer) => {
    const swapped = answer.before.find(([id, letter, had]) => had === seat && !(id === kingdom.photo && letter === kingdom.letter));
    const mine = answer.before.find(([id, letter]) => id === kingdom.photo && letter === kingdom.letter);
    return [swapped ? ["PUT", pathOf(swapped[0], swapped[1]), { seat }] : ["PUT", path, { seat: mine[2] || null }]];
  });
}

async function fix(shown, at, name, face) {
  $("square").close();
  const path = `/api/photos/${shown.id}/fixes`, had = shown.fixes[at] ?? null;
  const label = text("page.changed", { place: name, face: faceName(face) });
  return change(label, "POST", path, { [at]: face }, () => [["POST", path, { [at]: had }]]);
}

// Confirm a doubtful total: by the squares that settle it, where there are such.
function confirmTotal(shown, view, seat) {
  const places = Object.keys(view.fixes);
  const label = text("page.settled", { player: seat ? nameOf(seat) : text("page.kingdom"), total: view.total });
  if (!places.length) return writeSeat(label, game().id, seat, { accept: "photo" });
  const path = `/api/photos/${shown.id}/fixes`;
  const had = Object.fromEntries(places.map((at) => [at, shown.fixes[at] ?? null]));
  return change(label, "POST", path, view.fixes, () => [["POST", path, had]]);
}

// Take a photo out of its game.
async function deletePhoto(shown) {
  const path = `/api/photos/${shown.id}`;
  const label = text("page.photo-deleted"), home = $("back").hash;
  await change(label, "DELETE", path, undefined, () => {
    // In the place of the kingdom: the way back leads to none that is in no game.
    location.replace(home);
    return [["POST", `${path}/restored`, {}]];
  });
}

async function newGame() {
  // A name that was written just before the tap is on its way.
  await before;
  try {
    const { id } = await ask("POST", "/api/games", { after: game().id });
    older = "";
    watching.changed();
    location.hash = `#game/${id}`;
    await refresh();
    await done(text("page.new-begun", { game: game().name }), [["PUT", gamePath(id), { deleted: true }]]);
  } catch (error) {
    failed(error);
  }
}

// Ask before what cannot be taken back.
function confirmed(question, answer, act) {
  $("question").textContent = question;
  $("answer").textContent = answer;
  $("answer").onclick = () => { $("confirm").close(); act(); };
  $("confirm").showModal();
}

async function evenings(method, path, data) {
  try {
    const answer = await ask(method, `/api/evenings${path}`, data);
    if (method !== "PUT") older = "";
    watching.changed();
    await refresh();
    return answer;
  } catch (error) {
    return failed(error);
  }
}

// ---------------------------------------------------------------- photos

const photos = outbox({
  changed: (all) => { waiting = all; drawPending(page, [...waiting, ...refused]); },
  progress: showProgress,
  unkept: () => say(text("page.no-store")),
  async arrived(answer) {
    const count = answer.hidden ?? answer.views.length;
    await done(text("page.arrived", { n: count }), [["DELETE", `/api/photos/${answer.id}`]]);
  },
  refused(error, sent) {
    const why = whyNot(error);
    refused.push({ ...sent, error: why });
    drawPending(page, [...waiting, ...refused]);
    // The game has the photo with the reason beside it; the other views are told.
    say(route().view === "game" ? "" : why);
  },
  later(error, all) {
    if (error.status >= 500) say(text("page.busy"));
    else say(error instanceof Refused ? whyNot(error) : text("page.waiting", { n: all.length }));
  },
});

// Send the photos that were chosen, for the game that is shown.
async function take(field) {
  const files = [...field.files];
  const id = shotFor || game().id, options = id ? { game: id } : {};
  field.value = shotFor = "";
  await Promise.all(files.map((chosen) => photos.add(chosen, { options })));
}

function discard(key) {
  refused = refused.filter((photo) => photo.key !== key);
  drawPending(page, [...waiting, ...refused]);
}

const page = {
  game, writeGame, writeSeat, place, fix, confirmTotal, discard, confirmed, evenings,
  evening: () => evening,
  openEvening(id) {
    older = `${id}`;
    watching.changed();
    refresh().catch(failed);
  },
};

// ---------------------------------------------------------------- start

function listen() {
  for (const id of ["camera", "file", "again"]) {
    $(id).addEventListener("click", () => { shotFor = game().id; });
    $(id).addEventListener("change", () => {
      if (id === "again") location.hash = $("back").hash;
      take($(id));
    });
  }
  $("new").addEventListener("click", newGame);
  $("undo").addEventListener("click", undo);
  $("share").addEventListener("click", () => share(game(), refresh));
  $("evening-name").addEventListener("change", () =>
    evenings("PUT", `/${evening.evening.id}`, { name: $("evening-name").value.trim() }));
  $("new-evening").addEventListener("click", async () => {
    if (await evenings("POST", "", {})) location.hash = "";
  });
  for (const bonus of document.querySelectorAll("#rules [role=switch]")) {
    bonus.addEventListener("change", () =>
      writeGame(text("page.rules-changed"), { [bonus.id]: bonus.checked }));
  }
  $("size").addEventListener("change", () =>
    writeGame(text("page.rules-changed"), { size: Number($("size").value) || null }));
  $("edges").addEventListener("click", () => {
    const on = $("edges").getAttribute("aria-pressed") !== "true";
    $("edges").setAttribute("aria-pressed", String(on));
    draw().catch(failed);
  });
  $("photo").addEventListener("click", () => {
    $("whole-picture").src = `/api/photos/${photo.id}/picture`;
    $("whole").showModal();
  });
  $("delete").addEventListener("click", () => deletePhoto(photo));
  $("board").addEventListener("keydown", onKey);
  $("square").addEventListener("close", backToSquare);
  addEventListener("hashchange", () => {
    say("");
    draw().then(() => $("title").focus({ preventScroll: true })).catch(failed);
    scrollTo(0, 0);
  });
  addEventListener("online", () => photos.run());
  // A phone that has to sign in again would show what is old for good, and not say so.
  const look = () => document.hidden || refresh().catch((error) => error.status === 401 && failed(error));
  document.addEventListener("visibilitychange", look);
  setInterval(look, REFRESH_MS);
}

async function start() {
  listen();
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {});
  try {
    await refresh();
  } catch (error) {
    // What is photographed without network is for the game that this phone showed last.
    evening ??= remembered("evening", { games: [], names: [], ranking: [], evenings: [], evening: {} });
    await draw().catch(() => {});
    failed(error);
  }
  await photos.run();
  document.body.dataset.ready = "yes";
}

start();

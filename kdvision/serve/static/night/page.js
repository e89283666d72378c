// The page of an evening: what all phones share, changes and how they are taken back, its views.

import { $, make, remember, remembered, say, text } from "../dom.js";
import { ask, failed, inOrder, outbox, Refused, watched, whyNot } from "../net.js";
import {
  backToSquare, boardOf, bonuses, drawEvening, drawGame, drawKingdom, drawPending, nameOf, onKey, showProgress,
  totalText,
} from "./views.js";

const REFRESH_MS = 1500;
// Changes that can be taken back.
const MOST_UNDO = 50;
const VIEWS = ["game", "kingdom", "evening"];
const showing = inOrder();
const watching = watched("/api/games", async (found, tag) => {
  evening = found;
  [file] = tag.split("-");
  await draw();
});
const refresh = () => watching.look();
let evening = null;
// The name of the server's data file: what was changed in another one cannot be taken back in this one.
let file = "";
// The photo whose kingdom is shown, as the server last gave it.
let photo = null;
// The game for which a photo is being taken: another one may begin meanwhile.
let shotFor = "";
// What is said once another view is shown.
let onArrival = "";
// Photos on their way, and those that were refused, with the reason.
let waiting = [], refused = [];

// ---------------------------------------------------------------- what there is

const route = () => {
  const [view, ...rest] = location.hash.slice(1).split("/").map(decodeURIComponent);
  return { view: VIEWS.includes(view) ? view : "game", rest };
};

// The game that is shown: the one that was opened, the one of the kingdom, or that it was opened from, else
// the last.
function game() {
  const { view, rest } = route();
  const games = evening.games, called = (name) => games.find((one) => one.game === name);
  const has = (one) => [...one.players, ...one.unplaced].some((had) => had.photo === rest[0]);
  const opened = view === "game" ? called(rest[0])
    : view === "kingdom" ? games.find(has) ?? called(remembered("game", "")) : null;
  return opened ?? games.at(-1)
    ?? { game: evening.next, players: [], unplaced: [], rules: { size: null }, complete: false };
}

async function draw() {
  const { view, rest } = route();
  if (view === "kingdom") await showKingdom(...rest);
  if (view !== route().view) return;
  for (const name of VIEWS) $(`view-${name}`).hidden = name !== view;
  $("back").hidden = view !== "kingdom";
  $("back").href = `#game/${encodeURIComponent(game().game)}`;
  for (const tab of $("tabs").children) {
    if (tab.dataset.view === view) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  if (view === "game") {
    remember("game", game().game);
    $("title").textContent = text("page.game", { game: game().game });
    drawGame(page);
  }
  if (view === "evening") {
    $("title").textContent = text("page.evening");
    drawEvening(page, evening);
  }
  $("names").replaceChildren(...evening.names.map((value) => make("option", { value })));
  $("undo").disabled = undoSteps().length === 0;
}

async function showKingdom(id, letter) {
  const isNews = showing();
  const found = await ask("GET", `/api/photos/${encodeURIComponent(id)}`);
  const { view, rest } = route();
  if (!isNews() || view !== "kingdom" || rest[0] !== id || rest[1] !== letter) return;
  if (!found.views.some((one) => one.letter === letter)) {
    location.hash = "";
    return;
  }
  photo = found;
  const player = game().players.find((one) => one.photo === id && one.letter === letter) ?? null;
  $("title").textContent = player ? nameOf(player) : text("page.kingdom");
  drawKingdom(page, photo, letter, player);
}

// ---------------------------------------------------------------- changes

function undoSteps() {
  const kept = remembered("undo", {});
  return kept.file === file ? kept.steps : [];
}

const keepSteps = (steps) => remember("undo", { file, steps });

function canUndo(step) {
  keepSteps([...undoSteps(), step].slice(-MOST_UNDO));
  $("undo").disabled = false;
}

// Changes go one after the other: what is taken back is what came last.
let before = Promise.resolve();
function inTurn(act) {
  const mine = before.then(act);
  before = mine.catch(() => {});
  return mine;
}

// Make a change, remember how it is taken back, and show what comes of it.
const change = (method, path, data, inverse) => inTurn(async () => {
  try {
    const answer = await ask(method, path, data);
    canUndo(inverse(answer));
    watching.changed();
    await refresh();
    return answer;
  } catch (error) {
    failed(error);
    await draw().catch(() => {});
    return null;
  }
});

// Write fields of a game.
function write(fields, name = game().game) {
  const path = `/api/games/${encodeURIComponent(name)}`;
  return change("PATCH", path, fields, ({ before }) => ({ method: "PATCH", path, data: before }));
}

const undo = () => inTurn(async () => {
  const steps = undoSteps();
  const step = steps.pop();
  if (!step) return;
  try {
    await ask(step.method, step.path, step.data);
    keepSteps(steps);
    watching.changed();
    await refresh();
    say(text("page.undone"));
  } catch (error) {
    // What can never be taken back must not stand before what can.
    if (error instanceof Refused) keepSteps(steps);
    failed(error);
  }
});

async function settle(shown, place, name, face) {
  $("square").close();
  const path = `/api/photos/${shown.id}/fixes`;
  const had = shown.fixes[place] ?? null;
  const answer = await change("POST", path, { [place]: face },
    () => ({ method: "POST", path, data: { [place]: had } }));
  if (!answer) return;
  const said = text("page.changed", { place: name, face: document.querySelector(`[data-face="${face}"]`)?.title ?? face });
  say(`${said} ${text("page.total-now", { total: $("kingdom-total").textContent })}`);
}

async function newGame() {
  // A name that was written just before the tap is on its way.
  await before;
  const last = game(), name = evening.next;
  const names = last.players.filter((one) => one.player).map((one) => [`name.${one.seat}`, one.player]);
  const rules = Object.fromEntries(Object.entries(last.rules).filter(([, value]) => value !== null));
  location.hash = "";
  const path = `/api/games/${encodeURIComponent(name)}`;
  const fields = { ...Object.fromEntries(names), ...rules };
  const back = () => ({ method: "PATCH", path, data: Object.fromEntries(Object.keys(fields).map((key) => [key, null])) });
  if (await change("PATCH", path, fields, back)) say(text("page.new-begun", { game: name }));
}

// ---------------------------------------------------------------- photos

const photos = outbox("kdscore", {
  changed: (all) => { waiting = all; drawPending(page, [...waiting, ...refused]); },
  progress: showProgress,
  unkept: () => say(text("page.no-store")),
  async arrived(answer, sent) {
    const fields = Object.fromEntries(answer.views.map((view) => [`kingdom.${answer.id}.${view.letter}`, 0]));
    const path = `/api/games/${encodeURIComponent(sent.options.game)}`;
    watching.changed();
    await refresh().catch(failed);
    canUndo({ method: "PATCH", path, data: fields });
    say(text("page.arrived", { n: answer.views.length }));
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
  const options = { game: shotFor || game().game };
  field.value = shotFor = "";
  await Promise.all(files.map((file) => photos.add(file, { options })));
}

function discard(key) {
  refused = refused.filter((one) => one.key !== key);
  drawPending(page, [...waiting, ...refused]);
}

const page = {
  game, write, settle, discard,
  drop: async (one) => {
    if (await write({ dropped: true }, one.game)) say(text("page.dropped", one));
  },
  colours: () => evening.colours,
  rename: (seat, name) => write({ [`name.${seat}`]: name || null }),
};

// ---------------------------------------------------------------- a picture to share

const CARD = { width: 1080, row: 220, edge: 40, paper: "#fbf8f1", ink: "#1c1a16", act: "#14532d" };

const loaded = (address) => new Promise((resolve) => {
  const picture = new Image();
  picture.onload = () => resolve(picture);
  picture.onerror = () => resolve(null);
  picture.src = address;
});

// The last game with its kingdoms, drawn with this phone's own letters.
async function card() {
  const had = game().players.filter((player) => player.photo);
  const pictures = await Promise.all(had.map((player) => loaded(boardOf(player))));
  const canvas = document.createElement("canvas");
  canvas.width = CARD.width;
  canvas.height = 130 + CARD.row * had.length + CARD.edge;
  const drawing = canvas.getContext("2d");
  const write = (words, x, y, size, weight, colour, most) => {
    drawing.font = `${weight} ${size}px system-ui, sans-serif`;
    drawing.fillStyle = colour;
    drawing.fillText(words, x, y, most);
  };
  drawing.fillStyle = CARD.paper;
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  write(text("page.game", game()), CARD.edge, 90, 56, 700, CARD.act, 1000);
  for (const [at, player] of had.entries()) {
    const top = 130 + at * CARD.row, side = CARD.row - 20, picture = pictures[at];
    if (picture) {
      const share = Math.min(side / picture.width, side / picture.height);
      drawing.drawImage(picture, CARD.edge, top, picture.width * share, picture.height * share);
    }
    write(nameOf(player), 280, top + 125, 60, 400, CARD.ink, 500);
    drawing.textAlign = "right";
    write(`${player.wins ? "♛ " : ""}${totalText(player)}`, CARD.width - CARD.edge, top + 130, 84, 700, CARD.act, 300);
    drawing.textAlign = "left";
  }
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new File([blob], "kingdoms.png", { type: "image/png" });
}

// Share the picture, or save it where the phone shares nothing.
async function share() {
  try {
    await refresh();
    const file = await card();
    if (navigator.canShare?.({ files: [file] })) {
      await navigator.share({ files: [file] });
      return;
    }
    const link = make("a", { href: URL.createObjectURL(file), download: file.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say(text("page.shared"));
  } catch (error) {
    // A person who closes the phone's own dialog has changed their mind.
    if (error.name !== "AbortError") failed(error);
  }
}

// ---------------------------------------------------------------- start

function listen() {
  for (const id of ["camera", "file"]) {
    $(id).addEventListener("click", () => { shotFor = game().game; });
    $(id).addEventListener("change", () => take($(id)));
  }
  $("new").addEventListener("click", newGame);
  $("undo").addEventListener("click", undo);
  $("share").addEventListener("click", share);
  for (const bonus of bonuses()) {
    bonus.addEventListener("change", () => write({ [bonus.id]: bonus.checked }));
  }
  $("size").addEventListener("change", () => write({ size: Number($("size").value) || null }));
  $("edges").addEventListener("click", () => {
    const on = $("edges").getAttribute("aria-pressed") !== "true";
    $("edges").setAttribute("aria-pressed", String(on));
    draw().catch(failed);
  });
  $("photo").addEventListener("click", () => {
    $("whole-picture").src = `/api/photos/${photo.id}/picture`;
    $("whole").showModal();
  });
  const owner = (seat) => write({ [`kingdom.${route().rest.join(".")}`]: seat });
  $("whose").addEventListener("change", () => owner(Number($("whose").value)));
  $("remove").addEventListener("click", async () => {
    if (!await owner(0)) return;
    onArrival = text("page.removed");
    // In the place of the kingdom: the way back leads to none that is in no game.
    location.replace($("back").hash);
  });
  $("board").addEventListener("keydown", onKey);
  $("square").addEventListener("close", backToSquare);
  addEventListener("hashchange", () => {
    say(onArrival);
    onArrival = "";
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
    evening ??= { games: [], next: remembered("game", "1"), names: [], ranking: [], colours: [] };
    await draw().catch(() => {});
    failed(error);
  }
  await photos.run();
  document.body.dataset.ready = "yes";
}

start();

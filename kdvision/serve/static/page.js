// The page of an evening: what is shown, where this phone is, and what people tap.

import * as changes from "./changes.js";
import { ask } from "./dialogs.js";
import { $, all, dayOf, nameOf, say, text } from "./dom.js";
import { drawEvening } from "./evening.js";
import { drawGame, drawPending } from "./game.js";
import { backToSquare, drawKingdom, neighbourOf, onKey } from "./kingdom.js";
import { game, isOld, memory, move, remembered, route } from "./memory.js";
import { failed, Refused } from "./net.js";
import { draw, drawBy, load, photoShown, refresh } from "./news.js";

const REFRESH_MS = 1500;
const SWIPE_PX = 60;

// ---- drawing

function drawAll() {
  const { view, rest } = route(), photo = photoShown();
  drawPending([...memory.waiting.filter((item) => item.photo), ...memory.refused]);
  // A view is drawn when its data is here.
  if (view === "kingdom" && !photo) return;
  if (view === "history" && memory.log.game !== game().id) return;
  document.body.dataset.view = view;
  document.body.classList.toggle("sheet", memory.evening.sheet);
  $("back").hidden = ["game", "evening"].includes(view);
  $("back").href = view === "large" ? "#evening" : "#";
  $("next").hidden = view !== "kingdom" || !neighbourOf(rest, 1);
  for (const tab of $("tabs").children) tab.ariaCurrent = tab.dataset.view === view ? "page" : null;
  const seat = game().seats.find((each) => each.photos?.some(([at, letter]) => at === rest[0] && letter === rest[1]));
  $("title").textContent = titleOf(view, seat);
  document.title = `${$("title").textContent} · kdscore`;
  drawWhere();
  drawGame();
  drawEvening();
  if (view === "kingdom" && photo) drawKingdom(photo, rest[1], seat ?? null);
  if (view === "history") drawHistory();
  if (view === "large") drawProjector();
}

// Loaded when they are opened: few phones ever show them.
async function drawHistory() {
  const history = await import("./history.js");
  history.drawHistory(memory.log.entries);
}

async function drawProjector() {
  const { drawLarge } = await import("./large.js");
  if (route().view === "large") drawLarge(memory.ranking);
}

/** @type {(view: string, seat?: Seat) => string} */
function titleOf(view, seat) {
  if (view === "game") return text("page.game", { game: game().name });
  if (view === "kingdom") return seat ? nameOf(seat) : text("page.kingdom");
  if (view === "history") return text("page.history-of", { game: game().name });
  return text(view === "large" ? "page.ranking" : "page.evening");
}

// Say that an older evening is shown, or that another game has begun, with the way there.
function drawWhere() {
  const { current, games, sheet, evening } = memory.evening, { older } = memory, old = isOld();
  /** @type {(id: string | null) => number} */
  const at = (id) => games.findIndex((each) => each.id === id);
  const has = !older && !sheet && memory.moved && at(current.game) > at(game().id);
  document.body.classList.toggle("old", old);
  $("where").hidden = !(old || has);
  $("where-text").textContent = old ? text("page.old-evening", { day: dayOf(evening) })
    : text("page.has-begun", { game: current.name ?? "" });
  let leads = "page.to-game";
  if (old) leads = "page.new-evening";
  if (older) leads = "page.to-current";
  $("to-current").textContent = text(leads, { game: current.name ?? "" });
}

// ---- photos

// Send the photos that were chosen, for the game that is shown; of an old evening it is asked which.
/** @type {(field: { files: Iterable<File>, value: string }) => Promise<void>} */
async function take(field) {
  const files = [...field.files];
  let id = memory.shotFor || game().id;
  field.value = memory.shotFor = "";
  if (files.length && isOld()) {
    const day = dayOf(memory.evening.evening);
    const answer = await ask(text("page.which-evening", { day }), { today: text("page.for-today"), there: text("page.for-that") });
    if (!answer) return;
    if (answer === "today") {
      await leaveOld();
      id = game().id;
    }
  }
  /** @type {Record<string, string>} */
  const options = id ? { game: id } : {};
  await Promise.all(files.map((chosen) => changes.box.add(chosen, { options })));
}

// ---- what people tap

const leaveOld = () => (!memory.older && isOld() ? changes.newEvening() : changes.toCurrent());

async function share() {
  const sharing = await import("./share.js");
  return sharing.share();
}

async function askToDelete() {
  const { evening } = memory.evening, words = `${dayOf(evening)} ${evening.name}`.trim();
  const answer = await ask(text("page.delete-sure", { evening: words }), { yes: text("page.delete") });
  if (answer) await changes.deleteEvening();
}

function addSquares() {
  memory.adding = !memory.adding;
  draw();
}

// A swipe to the side leads to the next kingdom.
function listenToSwipes() {
  /** @type {Touch | null} */
  let from = null;
  /** @type {HTMLElement} */
  const kingdom = $("view-kingdom");
  kingdom.addEventListener("touchstart", ({ touches }) => {
    from = touches.length === 1 ? touches[0] : null;
  }, { passive: true });
  kingdom.addEventListener("touchend", ({ changedTouches: [to] }) => {
    if (!from) return;
    const across = to.clientX - from.clientX, down = to.clientY - from.clientY;
    const target = Math.abs(across) > SWIPE_PX && Math.abs(across) > 2 * Math.abs(down)
      && neighbourOf(route().rest, across < 0 ? 1 : -1);
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
  await load().catch(failed);
  if (["evening", "large"].includes(view)) refresh().catch(failed);
  $("title").focus({ preventScroll: true });
  ($(rest[0]) ?? document.body).scrollIntoView();
}

// A phone that has to sign in again is told: else it would show old totals without a word.
const look = () => document.hidden || refresh().catch((error) => {
  if (!(error instanceof Refused)) changes.sayOffline([]);
  if (error.status === 401) failed(error);
});

function listen() {
  /** @type {(id: string, kind: string, act: (event: any) => unknown) => void} */
  const on = (id, kind, act) => $(id).addEventListener(kind, act);
  for (const id of ["camera", "file", "again"]) {
    on(id, "click", () => { memory.shotFor = game().id; });
    on(id, "change", () => {
      if (id === "again") location.hash = "";
      take($(id));
    });
  }
  for (const bonus of all("#rules input")) {
    on(bonus.id, "change", () => changes.writeRules({ [bonus.id]: $(bonus.id).checked }));
  }
  on("size", "change", () => changes.writeRules({ size: Number($("size").value) || null }));
  on("new", "click", changes.newGame);
  on("undo", "click", changes.undo);
  on("to-current", "click", leaveOld);
  on("share", "click", share);
  on("evening-name", "change", () => changes.nameEvening($("evening-name").value));
  on("new-evening", "click", changes.newEvening);
  on("delete-evening", "click", askToDelete);
  on("edges", "click", addSquares);
  on("delete", "click", () => changes.deletePhoto(memory.photo));
  on("board", "keydown", onKey);
  on("square", "close", backToSquare);
  listenToSwipes();
  new MutationObserver(changes.drawUndo).observe($("status"), { childList: true });
  // What came while somebody was writing is drawn now.
  on("view-game", "focusout", () => setTimeout(draw));
  addEventListener("hashchange", onHash);
  addEventListener("resize", () => route().view === "large" && drawProjector());
  addEventListener("offline", () => changes.sayOffline());
  addEventListener("online", () => { changes.box.run(); });
  setInterval(look, REFRESH_MS);
}

async function start() {
  drawBy(drawAll);
  listen();
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {});
  const { view, rest } = route(), opened = view === "game" ? rest[0] : "";
  if (opened) {
    memory.moved = opened;
    history.replaceState(null, "", "#");
  }
  try {
    await refresh();
    if (opened) move(game().id);
    // The organiser of a tournament begins with what waits.
    const { sheet, organiser } = memory.evening;
    if (!location.hash && sheet && organiser && !opened && !memory.moved) location.replace("#evening");
  } catch (error) {
    // What is photographed without network is for the game that this phone showed last.
    memory.evening = remembered("evening", memory.evening);
    draw();
    if (error instanceof Refused) failed(error);
    else changes.sayOffline();
  }
  await changes.box.run();
  document.body.dataset.ready = "yes";
}

start();

// Changes: shown at once, saved one after the other, and taken back.

import { ask } from "./dialogs.js";
import { $, nameOf, say, text } from "./dom.js";
import { follow, game, memory, move, route } from "./memory.js";
import { failed, outbox, Refused, request, whyNot } from "./net.js";
import { draw, refresh } from "./news.js";

// So long undo is offered after a change; the history offers it for good.
const UNDO_MS = 12_000;
let undoTimer = 0;

// Changes go one after the other.
/** @type {Promise<any>} */
let before = Promise.resolve();
/** @type {(act: () => Promise<any>) => Promise<any>} */
function inTurn(act) {
  const mine = before.then(act);
  before = mine.catch(() => {});
  return mine;
}

// Say what was done, and offer to take it back for a while.
/** @type {(label: string, entries?: number[]) => void} */
export function done(label, entries) {
  memory.lastChange = entries?.length ? { label, entries } : null;
  clearTimeout(undoTimer);
  undoTimer = setTimeout(() => { memory.lastChange = null; drawUndo(); }, UNDO_MS);
  say(label);
  drawUndo();
}

// What undo would take back: said beside the button, or on it where something else is said there.
export function drawUndo() {
  const label = memory.lastChange?.label;
  $("undo").hidden = !label;
  $("undo-what").textContent = !label || label === $("status").textContent ? "" : `: ${label}`;
}

// Make a change. It is shown at once, as `shows` says by what it is about, and marked until it is saved.
// What the server refuses is said, unless `otherwise` takes it; `later` keeps what finds no network.
/** @type {(label: string, call: Call, shows: Record<string, any>, more?: { otherwise?: (error: any) => unknown, later?: (() => Promise<void>) | null }) => Promise<any>} */
const change = async (label, call, shows, { otherwise = failed, later = null } = {}) => {
  const { saving } = memory, keys = Object.keys(shows);
  // A second tap while it is under way.
  if (keys.every((key) => saving.get(key) === shows[key])) return null;
  for (const key of keys) saving.set(key, shows[key]);
  draw();
  const error = await inTurn(() => save(label, call));
  const isLater = error && later && !(error instanceof Refused);
  if (isLater) await later();
  else if (error) await refresh().catch(() => {});
  for (const key of keys) if (saving.get(key) === shows[key]) saving.delete(key);
  draw();
  return error && !isLater ? otherwise(error) : null;
};

// Send a change and show what has come of it; give what went wrong, if anything.
/** @type {(label: string, call: Call) => Promise<any>} */
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

export const undo = () => inTurn(async () => {
  const taken = memory.lastChange;
  memory.lastChange = null;
  drawUndo();
  for (const id of taken?.entries.toReversed() ?? []) await takeBack(id, true);
});

// Take an entry of the log back, or put it back.
/** @type {(id: number, undone: boolean) => Promise<void>} */
export async function takeBack(id, undone) {
  try {
    await request("POST", `/api/log/${id}/undo`, { undone });
    await refresh();
    say(text(undone ? "page.undone" : "page.redone"));
  } catch (error) {
    failed(error);
    refresh().catch(() => {});
  }
}

// ---- what can be changed

/** @type {(rules: Record<string, unknown>) => Promise<any>} */
export function writeRules(rules) {
  const shows = Object.fromEntries(Object.entries(rules).map(([name, value]) => [`rule.${name}`, value]));
  return change(text("page.rules-changed"), ["PUT", `/api/games/${game().id}`, rules], shows);
}

// Write a field of a seat. What somebody has settled meanwhile is asked about; names and claims wait for
// the network.
/** @type {(label: string, id: string, seat: Seat, fields: Record<string, any>) => Promise<any>} */
export function writeSeat(label, id, seat, fields) {
  /** @type {Call} */
  const call = ["PUT", `/api/games/${id}/seats/${seat.colour}`, fields];
  const [name] = Object.keys(fields), shows = { [`${name}.${id}.${seat.colour}`]: fields[name] };
  const later = name === "accept" ? null : () => box.addCall(call, { label, shows });
  return change(label, call, shows, { later, async otherwise(error) {
    if (error.code !== "settled") return failed(error);
    const now = game().seats.find((each) => each.colour === seat.colour);
    const answer = await ask(`${error.message} ${text("page.settle-anyway")}`, { yes: text("page.change") });
    return answer && writeSeat(label, id, seat, { ...fields, instead_of: now?.settled });
  } });
}

// Say whose a kingdom is.
/** @type {(label: string, kingdom: Placed, seat: string, again?: boolean) => Promise<any>} */
export const place = (label, { photo: id, letter }, seat, again = false) => change(label,
  ["PUT", `/api/photos/${id}/kingdoms/${letter}`, { seat, again }], { [`owner.${id}.${letter}`]: seat });

// Correct squares of a photo, by their places.
/** @type {(label: string, of: Photo, faces: Record<string, string>) => Promise<any>} */
export const fix = (label, of, faces) => change(label, ["POST", `/api/photos/${of.id}/fixes`, faces],
  Object.fromEntries(Object.entries(faces).map(([at, face]) => [`square.${of.id}.${at}`, face])));

// Confirm a doubtful total: by the squares that settle it, where there are such.
/** @type {(of: Photo, view: View, score: number, seat: any) => Promise<any>} */
export function confirmTotal(of, { fixes }, score, seat) {
  const label = text("page.settled", { player: seat ? nameOf(seat) : text("page.kingdom"), total: score });
  if (Object.keys(fixes).length) return fix(label, of, fixes);
  return writeSeat(label, game().id, seat, { accept: score });
}

// Take a photo out of its game.
/** @type {(of: any) => Promise<any>} */
export function deletePhoto(of) {
  location.replace("#");
  return change(text("page.photo-deleted"), ["DELETE", `/api/photos/${of.id}`], { [`photo.${of.id}`]: true });
}

export async function newGame() {
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

// ---- evenings

// Lead to what is current.
export async function toCurrent() {
  memory.older = "";
  follow();
  location.hash = "";
  await refresh().catch(failed);
}

/** @type {(method: string, id?: string, data?: object) => Promise<any>} */
async function changeEvenings(method, id = "", data = {}) {
  try {
    const answer = await request(method, `/api/evenings${id}`, data);
    await refresh();
    return answer;
  } catch (error) {
    return failed(error);
  }
}

export async function newEvening() {
  memory.older = "";
  if (await changeEvenings("POST")) await toCurrent();
}

/** @type {(name: string) => Promise<void>} */
export async function nameEvening(name) {
  const answer = await changeEvenings("PUT", `/${memory.evening.evening.id}`, { name });
  if (answer) done(text("page.evening-named"), answer.entries);
}

export async function deleteEvening() {
  const { id } = memory.evening.evening;
  // It is not asked for any more.
  memory.older = "";
  await refresh().catch(() => {});
  await changeEvenings("DELETE", `/${id}`);
}

/** @type {(id: string) => void} */
export function openEvening(id) {
  const { current } = memory.evening;
  memory.older = id === current.evening ? "" : id;
  move(memory.older ? "" : current.game);
  refresh().catch(failed);
}

// ---- photos, and what waits with them

export const box = outbox({
  changed: (all) => { memory.waiting = all; draw(); },
  unkept: () => say(text("page.no-store")),
  async arrived(answer, item) {
    await refresh().catch(() => {});
    done(item.label ?? text("page.arrived", { n: answer.hidden ?? answer.views.length }), answer.entries);
  },
  refused(error, sent) {
    const why = whyNot(error);
    if (sent.photo) memory.refused.push({ ...sent, error: why });
    draw();
    // The game has the photo with the reason beside it; the other views are told.
    say(route().view === "game" && sent.photo ? "" : why);
  },
  later(error, all) {
    if (error instanceof Refused) failed(error);
    else sayOffline(all);
  },
});

export function sayOffline(all = memory.waiting) {
  $("offline").hidden = false;
  const photos = all.filter((item) => item.photo).length;
  if (photos) say(text("page.waiting", { n: photos }));
}

// Throw a photo away that was refused.
/** @type {(key: string) => void} */
export function discard(key) {
  memory.refused = memory.refused.filter((each) => each.key !== key);
  draw();
}

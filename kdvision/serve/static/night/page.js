// The page at the table: a photo, its kingdoms, corrections, and the evening's ranking.

import { ask, Refused } from "../net.js";
import { $, ofPhoto, remember, remembered, rememberOfPhoto, say } from "./dom.js";
import { keep, nameButton, showEvening } from "./evening.js";
import { faceName } from "./faces.js";
import { drawKingdoms, players, showNames } from "./kingdoms.js";
import { doubtful, drawPicture, focusOn, fullName, grownBy, letter, lightUp, shownName } from "./picture.js";
import { openSquare } from "./square.js";
import { fillTexts, text } from "./texts.js";
import { sendAll, take } from "./uploads.js";

// Another phone may have kept a game meanwhile.
const REFRESH_MS = 20_000;
const SWITCHES = [["harmony", "harmony"], ["middle", "middle_kingdom"]];
let photo = null;
let grown = {};
// Changes that the server has not answered yet, and the end of the last of them.
let underWay = 0;
let before = Promise.resolve();
const shown = () => photo;

// ---------------------------------------------------------------- rules

// The rules as the form of an upload has them.
function rules() {
  const size = $("size").value;
  return { harmony: $("harmony").checked, middle_kingdom: $("middle").checked, size };
}

function showRules({ harmony, middle_kingdom: middle, size }) {
  $("harmony").checked = Boolean(harmony);
  $("middle").checked = Boolean(middle);
  $("size").value = size || "auto";
}

// Remember a rule, and score the photo that is shown by it.
async function changeRule(name, value) {
  remember("rules", rules());
  if (photo) await changed((id) => ask("POST", `/api/photos/${id}/options`, { [name]: value }));
}

// ---------------------------------------------------------------- the photo

function show(answer) {
  if (photo?.id !== answer.id) {
    grown = {};
    nameButton("");
    showPicture(`/api/photos/${answer.id}/picture`);
    remember("photo", answer.id);
  }
  photo = answer;
  $("photo").hidden = false;
  $("undo").disabled = ofPhoto(photo.id).undo.length === 0;
  if (!underWay) showRules(photo.options);
  draw();
  drawKingdoms(photo, draw);
  const places = photo.kingdoms.flatMap((kingdom, index) =>
    [...doubtful(kingdom)].map((at) => fullName(kingdom, index, ...at.split(",").map(Number))))
    .map((place) => shownName(photo, place));
  const look = places.length ? ` ${text("lookAt", { places: places.join(", ") })}` : "";
  say(`${text(photo.status)}${look}`);
  $("message").textContent = photo.message;
  showEvening(shown).catch(() => {});
}

// The squares of a photo are never shown over the picture of the one before.
function showPicture(address) {
  const picture = $("picture");
  picture.style.visibility = "hidden";
  picture.onload = picture.onerror = () => { picture.style.visibility = ""; };
  picture.src = address;
}

// A photo that was sent comes into view, whatever the page showed before.
function arrived(answer) {
  show(answer);
  $("status").scrollIntoView();
}

function draw() {
  drawPicture($("overlay"), photo, {
    names: ofPhoto(photo.id).names, grown, choose,
    grow: (index, side) => {
      const kingdom = photo.kingdoms[index], name = letter(index);
      const before = document.querySelectorAll("#overlay .cell").length;
      grown[name] = grownBy(kingdom, grown[name], side);
      draw();
      const more = document.querySelectorAll("#overlay .cell").length - before;
      say(text("grown", { letter: name, n: more }));
      document.querySelector(`#overlay [data-kingdom="${name}"] .added`)?.focus();
    },
  });
}

async function choose(index, row, col) {
  const mine = photo.kingdoms[index].territories.find((one) =>
    one.cells.some(([r, c]) => r === row && c === col));
  lightUp($("overlay"), index, mine?.cells);
  await openSquare(photo, index, row, col, { settle, failed });
}

// ---------------------------------------------------------------- changes

function failed(error) {
  say(error instanceof Refused ? text("failed", { why: error.message }) : text("offline"));
}

// Show what the server makes of a change to the photo that is shown; whether it did. Changes go one
// after the other, or an answer that is late would put back what came after it: `asking(id)` is
// called when those before have been answered.
function changed(asking) {
  const { id } = photo;
  underWay += 1;
  $("board").setAttribute("aria-busy", "true");
  const mine = before.then(() => answered(id, asking));
  before = mine.catch(() => {});
  return mine;
}

async function answered(id, asking) {
  let answer = null;
  try {
    answer = await asking(id);
  } catch (error) {
    failed(error);
  }
  underWay -= 1;
  // Another photo may have come meanwhile.
  const same = photo?.id === id;
  if (answer && same) show(answer);
  if (!underWay) {
    $("board").removeAttribute("aria-busy");
    if (photo) showRules(photo.options);
  }
  return Boolean(answer) && same;
}

const fixed = (id, fixes) => ask("POST", `/api/photos/${id}/fixes`, fixes);

async function settle(place, face) {
  $("square").close();
  let had = null;
  const done = await changed((id) => {
    had = photo?.fixes[place] ?? null;
    return fixed(id, { [place]: face });
  });
  if (done) {
    const kept = ofPhoto(photo.id);
    rememberOfPhoto({ ...kept, undo: [...kept.undo, { [place]: had }] });
    $("undo").disabled = false;
    const said = text("fixed", { place: shownName(photo, place), face: faceName(face) });
    say(`${said} ${$("status").textContent}`);
  }
  focusOn($("overlay"), place);
}

async function takeBack() {
  const done = await changed(async (id) => {
    const last = ofPhoto(id).undo.at(-1);
    return last ? fixed(id, last) : null;
  });
  if (!done) return;
  const kept = ofPhoto(photo.id);
  rememberOfPhoto({ ...kept, undo: kept.undo.slice(0, -1) });
  $("undo").disabled = kept.undo.length === 1;
}

async function forget() {
  try {
    await ask("DELETE", `/api/photos/${photo.id}`);
  } catch (error) {
    failed(error);
    return;
  }
  for (const name of ["photo", "table"]) localStorage.removeItem(name);
  photo = null;
  $("photo").hidden = true;
  say(text("gone"));
}

// Share the photo with its totals, or save it where the phone shares nothing.
async function share() {
  const names = photo.kingdoms.map((_, index) => {
    const name = letter(index);
    return [name, players()[name] || text("kingdom", { letter: name })];
  });
  try {
    const answer = await fetch(`/api/photos/${photo.id}/card?${new URLSearchParams(names)}`);
    if (!answer.ok) throw new Refused((await answer.json()).error);
    const file = new File([await answer.blob()], "kingdoms.png", { type: "image/png" });
    if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file] });
    else save(file);
  } catch (error) {
    // A person who closes the phone's own dialog has changed their mind.
    if (error.name !== "AbortError") failed(error);
  }
}

function save(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REFRESH_MS);
  say(text("shared"));
}

// ---------------------------------------------------------------- start

function listen() {
  for (const id of ["camera", "file"]) {
    $(id).addEventListener("change", () => take($(id), rules(), arrived));
  }
  for (const [id, name] of SWITCHES) {
    $(id).addEventListener("change", () => changeRule(name, $(id).checked));
  }
  $("size").addEventListener("change", () => changeRule("size", Number($("size").value) || null));
  $("undo").addEventListener("click", takeBack);
  $("share").addEventListener("click", share);
  $("forget").addEventListener("click", forget);
  $("keep").addEventListener("click", () => keep(shown, failed));
  $("square").addEventListener("close", () => focusOn($("overlay"), $("square").dataset.place));
  addEventListener("online", () => sendAll(arrived));
  setInterval(() => document.hidden || showEvening(shown).catch(() => {}), REFRESH_MS);
}

async function start() {
  fillTexts();
  $("picture").alt = text("picture");
  $("overlay").setAttribute("aria-label", text("picture"));
  showRules(remembered("rules", {}));
  showNames();
  listen();
  // A link to a photo names it behind the #; else the last one of this phone is shown.
  const last = location.hash.slice(1) || remembered("photo", null);
  try {
    if (last) show(await ask("GET", `/api/photos/${encodeURIComponent(last)}`));
  } catch (error) {
    if (error instanceof Refused) localStorage.removeItem("photo");
  }
  await showEvening(shown).catch(() => {});
  await sendAll(arrived);
  document.body.dataset.ready = "yes";
}

start();

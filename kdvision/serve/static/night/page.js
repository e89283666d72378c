// The page at the table: a photo, its kingdoms, corrections, and the evening's ranking.

import { ask, Refused } from "../net.js";
import { $, ofPhoto, remember, remembered, rememberOfPhoto, say } from "./dom.js";
import { keep, showEvening } from "./evening.js";
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
  if (!photo) return;
  await changed(() => ask("POST", `/api/photos/${photo.id}/options`, { [name]: value }));
  showRules(photo.options);
}

// ---------------------------------------------------------------- the photo

function show(answer) {
  if (photo?.id !== answer.id) {
    grown = {};
    $("picture").src = `/api/photos/${answer.id}/picture`;
    remember("photo", answer.id);
  }
  photo = answer;
  $("photo").hidden = false;
  $("undo").disabled = ofPhoto(photo.id).undo.length === 0;
  showRules(photo.options);
  draw();
  drawKingdoms(photo, draw);
  const places = photo.kingdoms.flatMap((kingdom, index) =>
    [...doubtful(kingdom)].map((at) => fullName(kingdom, index, ...at.split(",").map(Number))))
    .map((place) => shownName(photo, place));
  const look = places.length ? ` ${text("lookAt", { places: places.join(", ") })}` : "";
  say(`${text(photo.status)}${look}`);
  $("message").textContent = photo.message;
  showEvening(photo).catch(() => {});
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

// Show what the server makes of a change; whether it did.
async function changed(asking) {
  $("board").setAttribute("aria-busy", "true");
  try {
    show(await asking());
    return true;
  } catch (error) {
    failed(error);
    return false;
  } finally {
    $("board").removeAttribute("aria-busy");
  }
}

const fixed = (fixes) => changed(() => ask("POST", `/api/photos/${photo.id}/fixes`, fixes));

async function settle(place, face) {
  $("square").close();
  const before = photo.fixes[place] ?? null;
  if (await fixed({ [place]: face })) {
    const kept = ofPhoto(photo.id);
    rememberOfPhoto({ ...kept, undo: [...kept.undo, { [place]: before }] });
    $("undo").disabled = false;
    const done = text("fixed", { place: shownName(photo, place), face: faceName(face) });
    say(`${done} ${$("status").textContent}`);
  }
  focusOn($("overlay"), place);
}

async function takeBack() {
  const kept = ofPhoto(photo.id);
  const last = kept.undo.at(-1);
  if (!last || !(await fixed(last))) return;
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
  $("keep").addEventListener("click", () => keep(photo, failed));
  $("square").addEventListener("close", () => focusOn($("overlay"), $("square").dataset.place));
  addEventListener("online", () => sendAll(arrived));
  setInterval(() => document.hidden || showEvening(photo).catch(() => {}), REFRESH_MS);
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
  await showEvening(photo).catch(() => {});
  await sendAll(arrived);
  document.body.dataset.ready = "yes";
}

start();

// A table of a tournament on a phone: first what was counted, then the photo, then both.

import { fillTexts, inLanguage, placeText, text } from "./texts.js";
import { badge, explained, flagTexts, make, stateOf, twice } from "./explained.js";
import { ask, inOrder, lastOpened, newKey, queue, Refused, send } from "../net.js";

const REFRESH_MS = 5000;
const $ = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
const place = { round: query.get("round") || "", table: query.get("table") || "" };
const pending = queue("kdscore-table");
const asking = inOrder();
const opening = lastOpened();
let table = null;
let sending = false;

const say = (sentence) => { $("status").textContent = sentence; };
const letter = (index) => String.fromCharCode(65 + index);

// ---------------------------------------------------------------- what is there

async function refresh() {
  if (document.hidden) return;
  const isNews = asking();
  try {
    const found = await ask("GET", inLanguage(`/api/table?${new URLSearchParams(place)}`));
    if (isNews() && JSON.stringify(found) !== JSON.stringify(table)) show(found);
  } catch (error) {
    if (!(error instanceof Refused)) return;
    say(text("failed", { why: error.message }));
    $("find").hidden = false;
  }
}

// What the server answers to a change is newer than all that was asked for before.
function showChange(found) {
  asking()();
  show(found);
}

function show(found) {
  table = found;
  $("find").hidden = true;
  const unclaimed = table.players.filter((line) => line.claimed === null);
  $("claims").hidden = unclaimed.length === 0;
  drawFields(unclaimed);
  const shootable = table.players.filter((line) => line.claimed !== null && line.state !== "agrees");
  $("shoot").hidden = shootable.length === 0;
  drawWhose(shootable);
  $("lines").replaceChildren(...table.players.map(drawLine));
}

function drawFields(lines) {
  const written = new Map([...$("claim-fields").querySelectorAll("input")]
    .map((field) => [field.dataset.player, field.value]));
  $("claim-fields").replaceChildren(...lines.map((line) => {
    const label = make("label", `${line.player} `);
    const field = make("input");
    Object.assign(field, { type: "number", inputMode: "numeric", min: 0, max: 999 });
    field.dataset.player = line.player;
    field.value = written.get(line.player) || "";
    label.append(field);
    return label;
  }));
}

// Without a photo yet: ticked. A player whose photo is there may send another one. What a person has
// ticked stays so, until another photo is there.
function drawWhose(lines) {
  const before = new Map([...$("whose").querySelectorAll("input")]
    .map((box) => [box.dataset.player, box]));
  $("whose").replaceChildren(...lines.map((line) => {
    const label = make("label");
    const box = make("input");
    const had = before.get(line.player), photo = line.photo || "";
    const same = had && had.dataset.photo === photo;
    Object.assign(box, { type: "checkbox", checked: same ? had.checked : !photo });
    Object.assign(box.dataset, { player: line.player, photo });
    label.append(box, ` ${line.player}`);
    return label;
  }));
}

function drawLine(line) {
  const card = make("article");
  card.append(make("h3", line.player), badge(stateOf(line)));
  for (const said of flagTexts(line)) card.append(make("p", said, "flag"));
  if (line.claimed !== null) card.append(make("p", `${text("claimed")}: ${line.claimed}`));
  if (line.read !== null) card.append(make("p", `${text("read")}: ${line.read}`));
  if (line.photo) card.append(tools(line));
  return card;
}

function tools(line) {
  const made = make("p", "", "tools");
  const shown = make("button", text("sees"), "quiet");
  shown.type = "button";
  shown.addEventListener("click", () => openLine(line));
  made.append(shown);
  return made;
}

// The dialog opens at once, so that nobody taps twice or sees what was opened before.
async function openLine(line) {
  const isLast = opening();
  const body = $("detail-body");
  body.replaceChildren(make("h2", line.player), make("p", text("loading")));
  body.setAttribute("aria-busy", "true");
  if (!$("detail").open) $("detail").showModal();
  const parts = await partsOf(line, isLast).catch((error) => [make("p", error.message)]);
  if (!isLast()) return;
  body.replaceChildren(make("h2", line.player), ...parts);
  body.removeAttribute("aria-busy");
}

async function partsOf(line, isLast) {
  const parts = [await explained(line)];
  if (line.verdict === "differs" && line.read_status === "sure") parts.push(concede(line, isLast));
  if (line.state !== "agrees" && !line.letter) parts.push(await letters(line, isLast));
  if (["differs", "look"].includes(line.state)) parts.push(make("p", text("onlyDesk")));
  return parts;
}

// Close what was opened, unless something else was opened meanwhile.
function close(isLast) {
  if (isLast()) $("detail").close();
}

// The player agrees with the photo: two taps, with the player's name.
function concede(line, isLast) {
  const n = line.read;
  const act = async () => {
    await done(ask("POST", "/api/table/accept", { ...place, player: line.player, by: line.player }));
    close(isLast);
  };
  const said = { n, player: line.player, by: line.player };
  return twice(text("acceptPhoto", { n }), () => text("sure", said), act);
}

// Where a photo shows several kingdoms: whose is which.
async function letters(line, isLast) {
  const photo = await ask("GET", `/api/photos/${line.photo}`);
  const form = make("div");
  if (photo.kingdoms.length < 2) return form;
  form.append(make("p", text("which")));
  const owners = table.players.filter((one) => one.photo === line.photo && one.state !== "agrees");
  for (const one of owners) {
    const label = make("label", `${one.player} `);
    const choice = make("select");
    choice.dataset.player = one.player;
    choice.append(...["", ...photo.kingdoms.map((_, index) => letter(index))].map((name) => {
      const option = make("option", name ? `${text("kingdom")} ${name}` : "");
      option.value = name;
      return option;
    }));
    choice.value = one.letter;
    label.append(choice);
    form.append(label);
  }
  const button = make("button", text("send"));
  button.type = "button";
  button.addEventListener("click", async () => {
    button.disabled = true;
    const players = Object.fromEntries([...form.querySelectorAll("select")]
      .map((choice) => [choice.dataset.player, choice.value]));
    await done(ask("POST", "/api/table/photos", { ...place, photo: line.photo, players }));
    close(isLast);
  });
  form.append(button);
  return form;
}

async function done(answer) {
  try {
    showChange(await answer);
    say("");
  } catch (error) {
    say(text("failed", { why: error.message }));
  }
}

// ---------------------------------------------------------------- handing in

// Keys in the order of time: claims go before the photos that were taken after them.
const key = () => `${Date.now()}-${newKey()}`;

async function claim(event) {
  event.preventDefault();
  const fields = [...$("claim-fields").querySelectorAll("input")].filter((one) => one.value !== "");
  const claims = Object.fromEntries(fields.map((one) => [one.dataset.player, Number(one.value)]));
  const other = $("other-name").value.trim();
  if (other && $("other-total").value !== "") claims[other] = Number($("other-total").value);
  if (!Object.keys(claims).length) return;
  await pending.enqueue({ key: key(), place, claims });
  $("other-name").value = $("other-total").value = "";
  await sendAll();
}

async function take(input) {
  const [file] = input.files;
  input.value = "";
  const boxes = [...$("whose").querySelectorAll("input:checked")];
  if (!file || !boxes.length) return;
  const players = Object.fromEntries(boxes.map((box) => [box.dataset.player, ""]));
  const upload = { photo: file, name: file.name, options: table.rules };
  await pending.enqueue({ key: key(), place, players, ...upload });
  await sendAll();
}

// Send what waits, one after the other, until the network fails; also what comes to it meanwhile.
async function sendAll() {
  if (sending) return;
  sending = true;
  try {
    for (let one; (one = (await pending.waiting())[0]);) await sendOne(one);
  } catch {
    say(text("waitingForNet", { n: (await pending.waiting()).length }));
    setTimeout(sendAll, REFRESH_MS / 2);
  } finally {
    sending = false;
    $("progress").hidden = true;
  }
}

async function sendOne(one) {
  say(text("sending"));
  try {
    const found = one.claims ? await sendClaims(one) : await sendPhoto(one);
    await pending.dequeue(one.key);
    say("");
    if (one.place.table === place.table && one.place.round === place.round) showChange(found);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await pending.dequeue(one.key);
    say(text("failed", { why: error.message }));
  }
}

const sendClaims = (one) => ask("POST", "/api/table/claims", { ...one.place, claims: one.claims });

async function sendPhoto(one) {
  $("progress").hidden = false;
  const scored = await send(one, (share) => {
    $("progress").value = share;
    if (share === 1) say(text("scoring"));
  });
  const about = { ...one.place, photo: scored.id, players: one.players };
  return ask("POST", "/api/table/photos", about);
}

// ---------------------------------------------------------------- start

async function start() {
  fillTexts("table");
  if (place.table) $("where").textContent = placeText(place.round, place.table);
  $("claims").addEventListener("submit", claim);
  $("find").addEventListener("submit", (event) => {
    event.preventDefault();
    const written = (name) => $(`find-${name}`).value.trim();
    const asked = { round: written("round"), table: written("table"), token: written("token") };
    location.search = new URLSearchParams(asked);
  });
  for (const id of ["camera", "file"]) $(id).addEventListener("change", () => take($(id)));
  addEventListener("online", sendAll);
  document.addEventListener("visibilitychange", refresh);
  if (place.table) await refresh();
  else $("find").hidden = false;
  await sendAll();
  setInterval(() => { if (table) refresh(); }, REFRESH_MS);
  document.body.dataset.ready = "yes";
}

start();

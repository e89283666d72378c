// The page at the table: a photo, its kingdoms, corrections, and the evening's ranking.

import { doubtful, drawBoard, faceName, letter, lightUp, likely } from "./board.js";
import { placeName } from "./geometry.js";
import { ask, dequeue, enqueue, newKey, Refused, send, waiting } from "./net.js";
import { fillTexts, text } from "./texts.js";

const RETRY_MS = 2500;
const $ = (id) => document.getElementById(id);
let photo = null;
let undo = [];
let sending = false;

// ---------------------------------------------------------------- remembered on this phone

const remember = (name, value) => localStorage.setItem(name, JSON.stringify(value));
function remembered(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function options() {
  const chosen = { harmony: $("harmony").checked, middle_kingdom: $("middle").checked };
  return { ...chosen, size: $("size").value };
}

function restoreOptions() {
  const last = remembered("options", {});
  $("harmony").checked = Boolean(last.harmony);
  $("middle").checked = Boolean(last.middle_kingdom);
  $("size").value = last.size || "auto";
  for (const id of ["harmony", "middle", "size"]) {
    $(id).addEventListener("change", () => remember("options", options()));
  }
}

// ---------------------------------------------------------------- photos

const say = (sentence) => { $("status").textContent = sentence; };

async function take(input) {
  const [file] = input.files;
  input.value = "";
  if (!file) return;
  await enqueue({ key: newKey(), photo: file, name: file.name, options: options() });
  await sendAll();
}

// Send what waits, one photo after the other, until the network fails.
async function sendAll() {
  if (sending) return;
  sending = true;
  try {
    for (const upload of await waiting()) await sendOne(upload);
  } catch (error) {
    const left = (await waiting()).length;
    say(error.message === "busy" ? text("busy") : text("waiting", { n: left }));
    setTimeout(sendAll, RETRY_MS);
  } finally {
    sending = false;
    $("progress").hidden = true;
  }
}

async function sendOne(upload) {
  say(text("sending"));
  $("progress").hidden = false;
  try {
    const answer = await send(upload, (share) => {
      $("progress").value = share;
      if (share === 1) say(text("scoring"));
    });
    await dequeue(upload.key);
    undo = [];
    show(answer);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await dequeue(upload.key);
    say(text("failed", { why: error.message }));
  }
}

function show(answer) {
  const another = photo?.id !== answer.id;
  photo = answer;
  remember("photo", photo.id);
  $("photo").hidden = false;
  if (another) $("picture").src = `/api/photos/${photo.id}/picture`;
  $("share").href = `/api/photos/${photo.id}/overlay`;
  $("undo").disabled = undo.length === 0;
  drawBoard($("overlay"), photo, choose);
  drawKingdoms();
  const asks = photo.kingdoms.flatMap((kingdom, index) =>
    [...doubtful(kingdom)].map((at) => {
      const [row, col] = at.split(",").map(Number);
      return (photo.kingdoms.length > 1 ? `${letter(index)}.` : "") + placeName(kingdom, row, col);
    }));
  const look = asks.length ? ` ${text("lookAt", { places: asks.join(", ") })}` : "";
  say(`${photo.status === "sure" ? text("sure") : text("doubtful")}${look} ${photo.message}`);
}

function drawKingdoms() {
  const names = remembered(`names ${photo.id}`, {});
  $("kingdoms").replaceChildren(...photo.kingdoms.map((kingdom, index) => {
    const card = make("article", "");
    const others = kingdom.alternatives.filter((one) => one.score !== kingdom.score).slice(0, 2);
    const sure = kingdom.status === "sure";
    const also = sure ? "" : ` ${others.map((o) => text("or", { total: o.score })).join(", ")} ?`;
    card.append(make("h3", `${text("kingdom", { letter: letter(index) })}: ${kingdom.score}${also}`));
    card.append(nameField(index, names));
    const list = make("ul", "");
    for (const one of kingdom.territories) {
      const sum = `${text(one.terrain)}: ${text("sum", one)}`;
      list.append(lightButton(sum, index, one.cells));
    }
    for (const [key, name] of [["harmony", "Harmony"], ["middle_kingdom", "Middle Kingdom"]]) {
      const bonus = kingdom.bonuses[key];
      if (bonus.counted) list.append(make("li", text("bonus", { name, points: bonus.points })));
    }
    card.append(list);
    return card;
  }));
}

function nameField(index, names) {
  const label = make("label", `${text("player")} `);
  const field = make("input", "");
  Object.assign(field, { value: names[letter(index)] || "", maxLength: 60, autocomplete: "off" });
  field.setAttribute("list", "names");
  field.dataset.kingdom = letter(index);
  field.addEventListener("change", () => remember(`names ${photo.id}`, players()));
  label.append(field);
  return label;
}

function lightButton(sum, index, cells) {
  const item = make("li", "");
  const button = make("button", sum);
  button.type = "button";
  button.addEventListener("click", () => {
    lightUp($("overlay"), index, cells);
    say(sum);
  });
  item.append(button);
  return item;
}

function make(name, content) {
  const made = document.createElement(name);
  made.textContent = content;
  return made;
}

// ---------------------------------------------------------------- corrections

function choose(index, row, col, [x, y]) {
  const kingdom = photo.kingdoms[index];
  const place = `${letter(index)}.${placeName(kingdom, row, col)}`;
  $("square-name").textContent = place;
  crop(x, y, kingdom);
  const faces = likely(kingdom, row, col);
  const fix = (face) => change(place, face);
  $("likely").replaceChildren(...faces.map((face) => faceButton(face, fix)));
  const every = [...document.body.dataset.faces.split(" "), "C", "-"];
  $("faces").replaceChildren(...every.map((face) => faceButton(face, fix)));
  $("square").showModal();
}

function crop(x, y, kingdom) {
  const picture = $("picture"), canvas = $("crop");
  const scale = picture.naturalWidth / photo.photo_size[0];
  const [one, two] = kingdom.corners;
  const cols = 1 + Math.max(...kingdom.squares.map((square) => square.col));
  const side = 1.5 * (Math.hypot(two[0] - one[0], two[1] - one[1]) / cols) * scale;
  const drawing = canvas.getContext("2d");
  drawing.clearRect(0, 0, canvas.width, canvas.height);
  const from = [x * scale - side / 2, y * scale - side / 2, side, side];
  drawing.drawImage(picture, ...from, 0, 0, canvas.width, canvas.height);
}

function faceButton(face, act) {
  const button = make("button", face === "-" ? "·" : face[0]);
  if (face.length > 1) button.append(make("span", "♛".repeat(Number(face[1]))));
  button.type = "button";
  button.className = `face face-${face === "-" ? "empty" : face[0]}`;
  button.setAttribute("aria-label", faceName(face));
  button.title = faceName(face);
  button.addEventListener("click", () => act(face));
  return button;
}

async function change(place, face) {
  $("square").close();
  const before = photo.fixes[place] ?? null;
  if (await fixed({ [place]: face })) {
    undo.push({ [place]: before });
    $("undo").disabled = false;
  }
}

async function takeBack() {
  const last = undo.pop();
  if (last && !(await fixed(last))) undo.push(last);
}

async function fixed(fixes) {
  try {
    show(await ask("POST", `/api/photos/${photo.id}/fixes`, fixes));
    return true;
  } catch (error) {
    say(text("failed", { why: error.message }));
    return false;
  }
}

async function forget() {
  await ask("DELETE", `/api/photos/${photo.id}`);
  localStorage.removeItem("photo");
  photo = null;
  $("photo").hidden = true;
  say(text("gone"));
}

// ---------------------------------------------------------------- the evening

function players() {
  const found = {};
  for (const field of document.querySelectorAll("#kingdoms input")) {
    if (field.value.trim()) found[field.dataset.kingdom] = field.value.trim();
  }
  return found;
}

async function keep() {
  const names = players();
  if (!Object.keys(names).length) return say(text("needsName"));
  try {
    const { game } = await ask("POST", "/api/games", { photo: photo.id, players: names });
    remember("players", [...new Set([...remembered("players", []), ...Object.values(names)])]);
    showNames();
    await showEvening();
    return say(text("kept", { game }));
  } catch (error) {
    return say(text("failed", { why: error.message }));
  }
}

function showNames() {
  $("names").replaceChildren(...remembered("players", []).map((name) => {
    const option = make("option", "");
    option.value = name;
    return option;
  }));
}

async function showEvening() {
  const [{ games }, found] = await Promise.all([
    ask("GET", "/api/games"), ask("GET", "/api/standings"),
  ]);
  $("evening").hidden = games.length === 0;
  const totals = found.totals?.length ? found.totals : found.games[0]?.players ?? [];
  $("ranking").replaceChildren(
    row("th", ["", text("player"), text("total")]),
    ...totals.map((one) => row("td", [one.rank ?? one.ranks?.join("–") ?? "", one.player, one.total])),
  );
  $("games").replaceChildren(...games.map(({ game, players: had }) => {
    const sums = had.map((one) => `${one.player} ${one.score}`).join(", ");
    const item = make("li", `${text("game")} ${game}: ${sums} `);
    const drop = make("button", text("drop"));
    drop.type = "button";
    drop.className = "quiet";
    drop.addEventListener("click", async () => {
      await ask("DELETE", `/api/games/${encodeURIComponent(game)}`);
      await showEvening();
    });
    item.append(drop);
    return item;
  }));
}

function row(kind, cells) {
  const made = make("tr", "");
  made.append(...cells.map((cell) => make(kind, `${cell}`)));
  return made;
}

// ---------------------------------------------------------------- start

async function start() {
  fillTexts();
  restoreOptions();
  showNames();
  for (const id of ["camera", "file"]) $(id).addEventListener("change", () => take($(id)));
  $("undo").addEventListener("click", takeBack);
  $("forget").addEventListener("click", forget);
  $("keep").addEventListener("click", keep);
  addEventListener("online", sendAll);
  // A link to a photo names it behind the #; else the last one of this phone is shown.
  const last = location.hash.slice(1) || remembered("photo", null);
  try {
    if (last) show(await ask("GET", `/api/photos/${encodeURIComponent(last)}`));
  } catch {
    localStorage.removeItem("photo");
  }
  await showEvening().catch(() => {});
  await sendAll();
  document.body.dataset.ready = "yes";
}

start();

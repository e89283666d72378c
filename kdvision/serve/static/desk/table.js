// A table of a tournament on a phone: first what was counted, then the photo, then both.

import { $, button, make, say, text } from "../dom.js";
import { badge, flagTexts, letterAt, photoFrame, photoOf, placeText, stateOf, summary, twice } from "./line.js";
import { ask, failed, inOrder, lastOpened, outbox, OWN_TOKEN, Refused, sendPhoto, whyNot } from "../net.js";

const REFRESH_MS = 5000;
const query = new URLSearchParams(location.search);
const place = { round: query.get("round") || "", table: query.get("table") || "" };
const asking = inOrder();
const opening = lastOpened();
let table = null;

// ---------------------------------------------------------------- what is there

async function refresh() {
  if (document.hidden) return;
  const isNews = asking();
  try {
    const found = await ask("GET", `/api/table?${new URLSearchParams(place)}`);
    if (isNews() && JSON.stringify(found) !== JSON.stringify(table)) show(found);
  } catch (error) {
    if (!(error instanceof Refused)) return;
    failed(error);
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
  const unclaimed = table.players.filter((line) => line.claimed === null && !line.photo);
  $("claims").hidden = unclaimed.length === 0;
  drawFields(unclaimed);
  const shootable = table.players.filter((line) => line.claimed !== null && line.state !== "agrees");
  // A photo with slips says itself whose it is.
  $("shoot").hidden = shootable.length === 0 && !(table.slips && unclaimed.length);
  $("whose").parentElement.hidden = shootable.length === 0;
  $("slips").hidden = !table.slips;
  drawWhose(shootable);
  $("lines").replaceChildren(...table.players.map(drawLine));
}

function drawFields(lines) {
  const written = new Map([...$("claim-fields").querySelectorAll("input")]
    .map((field) => [field.dataset.player, field.value]));
  $("claim-fields").replaceChildren(...lines.map(({ player }) => make("label", {}, `${player} `,
    make("input", {
      type: "number", inputmode: "numeric", min: 0, max: 999,
      "data-player": player, value: written.get(player) || null,
    }))));
}

// Without a photo yet: ticked. A player whose photo is there may send another one. What a person has
// ticked stays so, until another photo is there.
function drawWhose(lines) {
  const before = new Map([...$("whose").querySelectorAll("input")]
    .map((box) => [box.dataset.player, box]));
  $("whose").replaceChildren(...lines.map(({ player, photo }) => {
    const had = before.get(player);
    const same = had && had.dataset.photo === (photo ?? "");
    const box = make("input", {
      type: "checkbox", checked: same ? had.checked : !photo,
      "data-player": player, "data-photo": photo ?? "",
    });
    return make("label", {}, box, ` ${player}`);
  }));
}

const drawLine = (line) => make("article", {},
  make("h3", {}, line.player), badge(stateOf(line)),
  ...flagTexts(line).map((said) => make("p", { class: "flag" }, said)),
  ...[["desk.claimed", line.claimed], ["desk.read", line.read]].filter(([, total]) => total !== null)
    .map(([key, total]) => make("p", {}, `${text(key)}: ${total}`)),
  line.photo && make("p", { class: "tools" }, button(text("desk.show-photo"), () => openLine(line))));

// The dialog opens at once, so that nobody taps twice or sees what was opened before.
async function openLine(line) {
  const isLast = opening();
  const body = $("detail-body");
  body.replaceChildren(make("h2", {}, line.player), make("p", {}, text("desk.loading")));
  body.setAttribute("aria-busy", "true");
  if (!$("detail").open) $("detail").showModal();
  const parts = await partsOf(line, isLast).catch((error) => [make("p", {}, whyNot(error))]);
  if (!isLast()) return;
  body.replaceChildren(make("h2", {}, line.player), ...parts);
  body.removeAttribute("aria-busy");
}

async function partsOf(line, isLast) {
  const photo = await photoOf(line);
  const parts = [...summary(line), photoFrame(photo, [line])];
  if (line.verdict === "differs" && line.read_status === "sure") parts.push(concede(line, isLast));
  if (line.state !== "agrees" && !line.letter) parts.push(letters(line, photo, isLast));
  if (["differs", "look"].includes(line.state)) parts.push(make("p", {}, text("desk.told")));
  return parts;
}

// The player agrees with the photo: two taps, with the player's name.
function concede(line, isLast) {
  const said = { n: line.read, player: line.player, by: line.player };
  return twice(text("desk.photo-counts", said), () => text("desk.sure", said), () =>
    done("accept", { player: line.player, by: line.player, total: line.read }, isLast));
}

// Where a photo shows several kingdoms: whose is which.
function letters(line, photo, isLast) {
  if (photo.kingdoms.length < 2) return "";
  const names = photo.kingdoms.map((_, index) => letterAt(index));
  const owners = table.players.filter((one) => one.photo === line.photo && one.state !== "agrees");
  const choices = owners.map((owner) => make("select", { "data-player": owner.player },
    ...["", ...names].map((letter) => make("option", { value: letter, selected: letter === owner.letter },
      letter && text("desk.kingdom", { letter })))));
  const hand = button(text("desk.send"), () => {
    hand.disabled = true;
    const players = Object.fromEntries(choices.map((choice) => [choice.dataset.player, choice.value]));
    return done("photos", { photo: line.photo, players }, isLast);
  });
  return make("div", {}, make("p", {}, text("desk.which")),
    ...choices.map((choice) => make("label", {}, `${choice.dataset.player} `, choice)), hand);
}

// Hand something in, show what comes of it, and close the dialog unless another was opened since.
async function done(what, data, isLast) {
  try {
    showChange(await ask("POST", `/api/table/${what}`, { ...place, ...data }));
    say("");
  } catch (error) {
    failed(error);
  }
  if (isLast()) $("detail").close();
}

// ---------------------------------------------------------------- handing in

// Claims go before the photos that were taken after them. A photo that is handed in is evidence, and may
// show slips: it arrives as it was taken.
const pending = outbox("kdscore-table", {
  inOrder: true,
  asTaken: true,
  changed() {},
  progress(key, share) {
    Object.assign($("progress"), { hidden: false, value: share });
    say(text(share < 1 ? "page.sending" : "page.scoring"));
  },
  arrived(found, { place: { round, table: name } }) {
    $("progress").hidden = true;
    say("");
    if (name === place.table && round === place.round) showChange(found);
  },
  refused(error) {
    $("progress").hidden = true;
    failed(error);
  },
  later(error, all) {
    $("progress").hidden = true;
    say(error instanceof Refused ? whyNot(error) : text("desk.waiting-for-net", { n: all.length }));
  },
  unkept: () => say(text("page.no-store")),
}, handIn);

// With the code of the table where it was written or taken: the page may be another table's by now.
async function handIn({ place: at, claims, players, ...photo }, progress) {
  if (claims) return ask("POST", "/api/table/claims", { ...at, claims }, photo.token);
  const scored = await sendPhoto(photo, progress);
  return ask("POST", "/api/table/photos", { ...at, photo: scored.id, players }, photo.token);
}

async function claim(event) {
  event.preventDefault();
  const fields = [...$("claim-fields").querySelectorAll("input")].filter((one) => one.value !== "");
  const claims = Object.fromEntries(fields.map((one) => [one.dataset.player, Number(one.value)]));
  const other = $("other-name").value.trim();
  if (other && $("other-total").value !== "") claims[other] = Number($("other-total").value);
  if (!Object.keys(claims).length) return;
  $("other-name").value = $("other-total").value = "";
  await pending.add(null, { place, claims, token: OWN_TOKEN });
}

async function take(input) {
  const [file] = input.files;
  input.value = "";
  const boxes = [...$("whose").querySelectorAll("input:checked")];
  if (!file) return;
  if (!boxes.length && !table.slips) {
    say(text("desk.whose"));
    return;
  }
  const players = Object.fromEntries(boxes.map((box) => [box.dataset.player, ""]));
  await pending.add(file, { place, players, options: table.rules, token: OWN_TOKEN });
}

// ---------------------------------------------------------------- start

async function start() {
  if (place.table) $("where").textContent = placeText(place.round, place.table);
  $("claims").addEventListener("submit", claim);
  $("find").addEventListener("submit", (event) => {
    event.preventDefault();
    const written = (name) => $(`find-${name}`).value.trim();
    const asked = { round: written("round"), table: written("table"), token: written("token") };
    location.search = new URLSearchParams(asked);
  });
  for (const id of ["camera", "file"]) $(id).addEventListener("change", () => take($(id)));
  addEventListener("online", () => pending.run());
  document.addEventListener("visibilitychange", refresh);
  if (place.table) await refresh();
  else $("find").hidden = false;
  await pending.run();
  setInterval(() => { if (table) refresh(); }, REFRESH_MS);
  document.body.dataset.ready = "yes";
}

start();

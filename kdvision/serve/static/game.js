// The game: its seats by rank, kingdoms that nobody has yet, photos on their way.

import { $, boardOf, button, make, nameOf, text, totalText } from "./dom.js";

const rows = new Map();
// Pictures of photos on their way, by their keys: drawn once, let go when they are gone.
const previews = new Map();
const SMALL = "&cell=28";
const WHOLE = /^\d{1,3}$/;

// Draw a game; `page` gives it and takes changes.
export function drawGame(page) {
  const game = page.game();
  drawSeats(page, game);
  // Where a sheet names no colours, the claims tell whose kingdom is whose.
  const asked = !game.colours && game.waits === "claim" ? [] : game.unassigned;
  $("unassigned").replaceChildren(...asked.map((kingdom) => whoseCard(page, game, kingdom)));
  $("hint").hidden = Boolean(game.photos) || game.sheet;
  $("claim-first").hidden = !game.hidden;
  for (const bonus of document.querySelectorAll("#rules [role=switch]")) {
    bonus.checked = game.rules[bonus.id];
  }
  $("size").value = game.rules.size ?? "auto";
  $("rules").hidden = game.sheet && !page.evening().organiser;
  $("new").hidden = !game.photos || page.evening().sheet;
}

// ---------------------------------------------------------------- seats

export const byRank = (seat, next) => (seat.rank ?? 9) - (next.rank ?? 9);

// Rows stay the same elements: nobody who is typing is interrupted by what comes from elsewhere.
function drawSeats(page, game) {
  const seats = game.seats.filter((seat) => !game.sheet || seat.player || seat.photo);
  const drawn = [...seats].sort(byRank).map((seat) => drawSeat(page, game, seat));
  const typing = $("seats").contains(document.activeElement) && document.activeElement.matches("input");
  const same = drawn.every((row, at) => $("seats").children[at] === row);
  if ((!same && !typing) || drawn.length !== $("seats").children.length) {
    $("seats").replaceChildren(...drawn);
  }
}

function drawSeat(page, game, seat) {
  const key = `${game.id} ${seat.colour}`;
  let row = rows.get(key);
  if (!row) {
    row = makeSeat(page, game, seat);
    rows.set(key, row);
  }
  const [cut, who, total, note] = row.children, [name, claimed] = who.children;
  const isIn = seat.photo && !game.hidden;
  row.className = `seat ${game.colours ? `king-${seat.colour}` : ""} ${isIn ? "" : "waits"}`;
  if (document.activeElement !== name.firstChild) name.firstChild.value = seat.player;
  if (document.activeElement !== claimed.lastChild) claimed.lastChild.value = seat.claimed ?? "";
  claimed.hidden = !game.sheet;
  const board = isIn ? boardOf(seat, SMALL) : "";
  if (row.dataset.board !== board) {
    row.dataset.board = board;
    cut.replaceChildren(...(board ? [make("img", { src: board, alt: "" })] : []));
  }
  for (const link of [cut, total]) {
    if (isIn) link.href = `#kingdom/${seat.photo}/${seat.letter}`;
    else link.removeAttribute("href");
  }
  const crown = seat.wins ? make("span", { class: "crown", "aria-hidden": "true" }, "♛ ") : null;
  total.replaceChildren(...(isIn ? [crown, totalText(seat)].filter(Boolean) : []));
  if (isIn) total.setAttribute("aria-label", totalLabel(seat));
  else total.removeAttribute("aria-label");
  const drawn = JSON.stringify([seat, game.waits]);
  if (row.dataset.drawn !== drawn && !note.contains(document.activeElement)) {
    row.dataset.drawn = drawn;
    note.replaceChildren(...noteParts(page, game, seat));
  }
  return row;
}

function makeSeat(page, game, seat) {
  const colour = text(`page.colour.${seat.colour}`);
  const name = make("input", {
    maxlength: $("seats").dataset.letters, autocomplete: "off", list: "names", enterkeyhint: "next",
    placeholder: game.colours ? colour : "", "aria-label": text("page.player", { colour }),
    readonly: game.sheet,
    change: () => page.writeSeat(text("page.renamed", { player: name.value.trim() || colour }), game.id, seat,
      { player: name.value.trim() }),
  });
  const number = make("input", {
    inputmode: "numeric", maxlength: 3, class: "number", autocomplete: "off",
    change: () => {
      const claimed = number.value.trim();
      if (claimed && !WHOLE.test(claimed)) number.value = "";
      else page.writeSeat(text("page.claimed", { total: claimed }), game.id, seat, { claimed: claimed ? Number(claimed) : null });
    },
  });
  return make("li", { "data-seat": seat.colour },
    make("a", { class: "cut", tabindex: -1, "aria-hidden": "true" }),
    make("div", { class: "who" }, make("span", {}, name),
      make("label", { class: "claim" }, `${text("page.claim")} `, number)),
    make("a", { class: "total" }), make("div", { class: "note" }));
}

function totalLabel(seat) {
  const key = seat.score === null && seat.counts === null ? "page.show-none"
    : totalText(seat).endsWith("?") ? "page.show-doubtful" : "page.show";
  const label = text(key, { player: nameOf(seat), total: seat.counts ?? seat.score });
  return seat.wins ? `${text("page.wins", { player: nameOf(seat) })}. ${label}` : label;
}

// What there is to know of a seat: how claim and photo compare, and what settles it.
export function noteParts(page, game, seat) {
  const parts = [], settle = (accept, total) => button(`${text(`page.take-${accept}`)}: ${total}`, () =>
    page.writeSeat(text("page.settled", { player: nameOf(seat), total }), game.id, seat, { accept }),
  { "data-accept": accept });
  if (seat.contradicts !== null) {
    parts.push(text("page.contradict", { first: seat.score, second: seat.contradicts }));
  }
  if (seat.explanation && game.sheet) parts.push(seat.explanation);
  if (seat.corrected && game.sheet) parts.push(text("page.corrected"));
  if (seat.verdict === "agrees") parts.push(text("page.agrees"));
  if (seat.settled !== null) parts.push(text("page.is-settled", { total: seat.counts }));
  const words = parts.length ? [make("p", {}, parts.join(" "))] : [];
  const asks = seat.open && (game.sheet || seat.contradicts !== null);
  if (!page.evening().organiser || (!asks && !(game.sheet && seat.settled !== null))) return words;
  const tools = make("p", { class: "tools" });
  if (asks) {
    tools.append(settle("photo", seat.score));
    if (seat.claimed !== null) tools.append(settle("claim", seat.claimed));
  }
  tools.append(otherNumber(page, game, seat));
  return [...words, tools];
}

// A field for another total, behind its button.
function otherNumber(page, game, seat) {
  return button(text("page.take-number"), (event) => {
    const number = make("input", { inputmode: "numeric", maxlength: 3, class: "number",
      "aria-label": text("page.take-number"),
      change: () => {
        const total = Number(number.value);
        if (!WHOLE.test(number.value)) return;
        document.activeElement.blur();
        page.writeSeat(text("page.settled", { player: nameOf(seat), total }), game.id, seat, { accept: total });
      } });
    event.target.replaceWith(number);
    number.focus();
  }, { "data-accept": "number" });
}

// A kingdom of which nobody knows whose it is: castles, or players where the sheet names no colours.
function whoseCard(page, game, kingdom) {
  const taken = (seat) => seat.photo !== null;
  const again = game.seats.find((seat) => seat.colour === kingdom.again);
  const seats = game.seats.filter((seat) => !game.sheet || seat.player)
    .sort((seat, next) => taken(seat) - taken(next));
  const give = (seat, isSame = false) => page.place(
    text("page.given", { player: nameOf(seat) }), kingdom, seat.colour, isSame);
  const buttons = seats.map((seat) => button(nameOf(seat), () => give(seat),
    { class: `quiet ${game.colours ? `king-${seat.colour}` : ""} ${taken(seat) ? "taken" : ""}`, "data-give": seat.colour }));
  const nobody = button(text("page.nobody"), () => page.place(text("page.given-nobody"), kingdom, "nobody"));
  const question = again ? text("page.again", { player: nameOf(again) }) : text("page.whose");
  const yes = again ? [button(text("page.again-yes"), () => give(again, true), { "data-again": "yes" })] : [];
  const cut = game.hidden ? make("span", { class: "cut" })
    : make("a", { class: "cut", href: `#kingdom/${kingdom.photo}/${kingdom.letter}`, "aria-label": text("page.kingdom") });
  cut.append(make("img", { src: boardOf(kingdom, SMALL), alt: "" }));
  return make("article", { class: "whose" }, cut,
    make("div", {}, make("p", {}, game.hidden ? question : `${question} (${totalText(kingdom)})`),
      make("p", { class: "tools" }, ...yes, ...buttons, nobody)));
}

// ---------------------------------------------------------------- photos on their way

export function drawPending(page, photos) {
  const keys = new Set(photos.map((photo) => photo.key));
  for (const [key, preview] of previews) {
    if (keys.has(key)) continue;
    URL.revokeObjectURL(preview.querySelector("img").src);
    previews.delete(key);
  }
  $("pending").replaceChildren(...photos.map((photo) => pendingCard(page, photo)));
}

function pendingCard(page, photo) {
  let card = previews.get(photo.key);
  if (!card) {
    card = make("article", { class: "pending", "data-key": photo.key },
      make("img", { src: URL.createObjectURL(photo.photo), alt: "" }),
      make("div", {}, make("p"), make("progress", { max: 1, value: 0, "aria-label": text("page.sending") })));
    previews.set(photo.key, card);
  }
  const [sentence, bar] = card.lastChild.children;
  bar.hidden = Boolean(photo.error);
  if (photo.error) sentence.setAttribute("role", "alert");
  sentence.textContent = photo.error ?? text("page.sending");
  if (photo.error && card.lastChild.children.length === 2) {
    card.lastChild.append(make("p", { class: "tools" },
      make("label", { for: "camera", class: "act", click: () => page.discard(photo.key) }, text("page.retake")),
      button(text("page.discard"), () => page.discard(photo.key))));
  }
  return card;
}

// The bar fills while the photo goes up, and moves to and fro while it is scored.
export function showProgress(key, share) {
  const card = previews.get(key);
  if (!card) return;
  const [sentence, bar] = card.lastChild.children;
  if (share < 1) bar.value = share;
  else bar.removeAttribute("value");
  sentence.textContent = text(share < 1 ? "page.sending" : "page.scoring");
}

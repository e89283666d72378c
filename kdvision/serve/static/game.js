// The game: its seats by rank, kingdoms that nobody has yet, photos on their way.

import { $, boardOf, button, make, nameOf, redraw, say, text, totalText } from "./dom.js";

const SMALL = "&cell=28";
const WHOLE = /^\d{1,3}$/;

// Draw a game; `page` gives it and takes changes.
export function drawGame(page) {
  const game = page.game(), { organiser, sheet } = page.evening();
  const seats = game.seats.filter((seat) => !game.sheet || seat.player || seat.photo);
  $("game-name").textContent = text("page.game", { game: game.name });
  redraw($("seats"), [game, organiser], () => seats.sort(byRank).map((seat) => seatRow(page, game, seat)));
  // Where a sheet names no colours, the claims tell whose kingdom is whose.
  const asked = !game.colours && game.waits === "claim" ? [] : game.unassigned;
  redraw($("unassigned"), [asked, game.seats], () => asked.map((kingdom) => whoseCard(page, game, kingdom)));
  $("hint").hidden = Boolean(game.photos) || game.sheet;
  $("claim-first").hidden = !game.hidden;
  for (const bonus of document.querySelectorAll("#rules input")) {
    bonus.checked = game.rules[bonus.id];
  }
  $("size").value = game.rules.size ?? "auto";
  $("rules").hidden = game.sheet && !organiser;
  $("new").hidden = !game.photos || sheet;
}

// ---- seats

export const byRank = (seat, next) => (seat.rank ?? 9) - (next.rank ?? 9);

// The kingdom of a seat, as a small picture.
const cut = (placed, attributes = {}) => make("a",
  { class: "cut", href: `#kingdom/${placed.photo}/${placed.letter}`, ...attributes },
  make("img", { src: boardOf(placed, SMALL), alt: "" }));

function seatRow(page, game, seat) {
  const isIn = seat.photo && !game.hidden;
  const total = isIn && make("a", { class: "total", href: `#kingdom/${seat.photo}/${seat.letter}`, "aria-label": totalLabel(seat) },
    seat.wins ? make("span", { class: "crown" }, "♛ ") : null, totalText(seat));
  const kind = `seat ${game.colours ? `king-${seat.colour}` : ""} ${isIn ? "" : "waits"}`;
  return make("li", { class: kind, "data-seat": seat.colour },
    isIn ? cut(seat, { tabindex: -1, "aria-hidden": "true" }) : null,
    make("div", { class: "who" }, nameField(page, game, seat), game.sheet ? claimField(page, game, seat) : null),
    total || null, make("div", { class: "note" }, ...noteParts(page, game, seat)));
}

function nameField(page, game, seat) {
  if (game.sheet) return make("strong", { class: "name" }, seat.player);
  const colour = text(`page.colour.${seat.colour}`);
  return make("input", {
    class: "name", maxlength: $("seats").dataset.letters, autocomplete: "off", enterkeyhint: "next",
    value: seat.player, placeholder: colour, "aria-label": text("page.player", { colour }),
    change: ({ target }) => page.writeSeat(text("page.renamed", { player: target.value.trim() || colour }), game.id, seat,
      { player: target.value }),
  });
}

// A field for a total; what is no whole number is refused, and stays there to be mended.
const numberField = (value, write, attributes = {}) => make("input", {
  inputmode: "numeric", maxlength: 3, class: "number", autocomplete: "off", value, ...attributes,
  change({ target }) {
    const word = target.value.trim();
    if (!word || WHOLE.test(word)) return write(word ? Number(word) : null);
    setTimeout(() => target.focus());
    return say(text("page.no-number", { word }));
  },
});

const claimField = (page, game, seat) => make("label", { class: "claim" }, `${text("page.take-claim")} `,
  numberField(seat.claimed ?? "", (claimed) =>
    page.writeSeat(text("page.claimed", { total: claimed ?? "–" }), game.id, seat, { claimed })));

const totalLabel = (seat) => [nameOf(seat), totalText(seat), seat.counts === null ? text("page.doubtful") : "",
  seat.wins ? text("page.wins") : ""].filter(Boolean).join(", ");

// What there is to know of a seat: how claim and photo compare, and what settles it.
function noteParts(page, game, seat) {
  if (!game.sheet && seat.contradicts === null) return [];
  const parts = [seat.explanation, seat.verdict === "agrees" ? text("page.agrees") : "", seat.corrected ? text("page.corrected") : ""];
  const words = parts.filter(Boolean).join(" ");
  const note = words ? [make("p", {}, words)] : [];
  if (!page.evening().organiser || !(seat.open || seat.settled !== null)) return note;
  const write = (accept, total) => page.writeSeat(text("page.settled", { player: nameOf(seat), total }), game.id, seat, { accept });
  const settle = (accept, total) => button(`${text(`page.take-${accept}`)}: ${total}`, () => write(accept, total), { "data-accept": accept });
  // A field for another total stands behind its button.
  const number = button(text("page.take-number"), ({ target }) => {
    const field = numberField("", (total) => total !== null && write(total, total), { "aria-label": text("page.take-number") });
    target.replaceWith(field);
    field.focus();
  }, { "data-accept": "number" });
  const isOpen = (total) => seat.open && total !== null;
  return [...note, make("p", { class: "tools" }, isOpen(seat.score) ? settle("photo", seat.score) : null,
    isOpen(seat.claimed) ? settle("claim", seat.claimed) : null, number)];
}

// A difference with its kingdom, the mistake that explains it, and what settles it.
export const difference = (page, game, seat) => make("article", { class: "difference" },
  cut(seat, { "aria-label": nameOf(seat) }),
  make("div", { class: "note" }, make("strong", {}, nameOf(seat)), ...noteParts(page, game, seat)));

// A kingdom of which nobody knows whose it is: castles, or players where the sheet names no colours.
function whoseCard(page, game, kingdom) {
  const taken = (seat) => seat.photo !== null;
  const again = game.seats.find((seat) => seat.colour === kingdom.again);
  const seats = game.seats.filter((seat) => seat !== again && (!game.sheet || seat.player))
    .sort((seat, next) => taken(seat) - taken(next));
  const give = (seat, isSame = false) => page.place(
    text("page.given", { player: nameOf(seat) }), kingdom, seat.colour, isSame);
  const buttons = seats.map((seat) => button(nameOf(seat), () => give(seat),
    { class: `quiet ${game.colours ? `king-${seat.colour}` : ""}`, "data-give": seat.colour }));
  const nobody = button(text("page.nobody"), () => page.place(text("page.given-nobody"), kingdom, "nobody"));
  const question = text(again ? "page.again" : "page.whose", { player: again && nameOf(again) });
  const yes = again ? button(text("page.again-yes"), () => give(again, true), { "data-again": "yes" }) : null;
  const picture = game.hidden ? { href: null } : { "aria-label": text("page.kingdom") };
  return make("article", { class: "whose" }, cut(kingdom, picture),
    make("div", {}, make("p", {}, game.hidden ? question : `${question} (${totalText(kingdom)})`),
      make("p", { class: "tools" }, yes, ...buttons, nobody)));
}

// ---- photos on their way

// Draw the photos that wait, and those that were refused with the reason.
export const drawPending = (page, photos) => redraw($("pending"), photos.map(({ key, error }) => [key, error]),
  () => photos.map((photo) => pendingCard(page, photo)));

function pendingCard(page, { key, photo, error }) {
  const discard = () => page.discard(key), address = URL.createObjectURL(photo);
  const forget = () => URL.revokeObjectURL(address), hide = ({ target }) => target.remove();
  const words = error
    ? [make("p", { role: "alert" }, error), make("p", { class: "tools" },
      make("label", { for: "camera", class: "act", click: discard }, text("page.retake")),
      button(text("page.discard"), discard))]
    : [make("p", {}, text("page.sending")), make("progress", { "aria-label": text("page.sending") })];
  return make("article", { class: "pending" },
    make("img", { src: address, alt: "", load: forget, error: hide }), make("div", {}, ...words));
}

// The game: its seats by rank, kingdoms that nobody has yet, photos on their way.

import { discard, place, writeSeat } from "./changes.js";
import { $, all, boardOf, button, make, nameIn, nameOf, redraw, say, text, totalText } from "./dom.js";
import { game as shownGame, isOld, isSaving, memory, shown } from "./memory.js";

const SMALL = "&cell=28";
const WHOLE = /^\d{1,3}$/;
// At most so many photos on their way have a line each; more share one.
const MOST_LINES = 2;

export function drawGame() {
  const game = shownGame(), { organiser, sheet } = memory.evening;
  const seats = game.seats.filter((seat) => !game.sheet || seat.player || seat.photo)
    .map((seat) => withChanges(game, seat)).filter((seat) => seat);
  $("game-name").textContent = text("page.game", { game: game.name });
  redraw($("seats"), [game, seats, organiser], () => seats.sort(byRank).map((seat) => seatRow(game, seat)));
  // Where a sheet names no colours, the claims tell whose kingdom is whose.
  const asked = (!game.colours && game.waits === "claim" ? [] : game.unassigned).filter((kingdom) =>
    !isSaving(`owner.${kingdom.photo}.${kingdom.letter}`) && !isSaving(`photo.${kingdom.photo}`));
  redraw($("unassigned"), [asked, game.seats], () => asked.map((kingdom) => whoseCard(game, kingdom)));
  // What was left out of a photo may be the kingdom of somebody.
  $("left-out").replaceChildren(...game.notes.map((note) => make("p", {}, note)));
  $("hint").hidden = Boolean(game.photos) || game.sheet;
  $("claim-first").hidden = !game.hidden;
  for (const bonus of all("#rules input")) {
    bonus.checked = shown(`rule.${bonus.id}`, game.rules[bonus.id]);
  }
  $("size").value = shown("rule.size", game.rules.size) ?? "auto";
  $("rules").hidden = game.sheet && !organiser;
  $("new").hidden = !game.photos || sheet || isOld();
}

// A seat with what was changed here and is not saved yet.
/** @type {(game: Game, seat: Seat) => Seat} */
function withChanges(game, seat) {
  /** @type {(name: string) => string} */
  const key = (name) => `${name}.${game.id}.${seat.colour}`;
  const accepted = shown(key("accept"), seat.settled);
  const isGone = seat.photo && isSaving(`photo.${seat.photo}`);
  return {
    ...seat,
    photo: isGone ? null : seat.photo,
    player: shown(key("player"), seat.player),
    claimed: shown(key("claimed"), seat.claimed),
    counts: accepted ?? seat.counts,
    saving: ["player", "claimed", "accept"].some((name) => isSaving(key(name))),
  };
}

// ---- seats

/** @type {(seat: Seat, next: Seat) => number} */
export const byRank = (seat, next) => (seat.rank ?? 9) - (next.rank ?? 9);

// The kingdom of a seat, as a small picture.
/** @type {(placed: Placed, attributes?: Attributes) => any} */
const cut = (placed, attributes = {}) => make("a",
  { class: "cut", href: `#kingdom/${placed.photo}/${placed.letter}`, ...attributes },
  make("img", { src: boardOf(placed, SMALL), alt: "" }));

/** @type {(game: Game, seat: Seat) => any} */
function seatRow(game, seat) {
  const isIn = seat.photo && !game.hidden;
  const total = isIn && make("a", { class: "total", href: `#kingdom/${seat.photo}/${seat.letter}`, "aria-label": totalLabel(seat) },
    seat.wins ? make("span", { class: "crown" }, "♛ ") : null, totalText(seat));
  const kind = `seat ${game.colours ? `king-${seat.colour}` : ""} ${isIn ? "" : "waits"} ${seat.saving ? "saving" : ""}`;
  return make("li", { class: kind, "data-seat": seat.colour },
    isIn ? cut(seat, { tabindex: -1, "aria-hidden": "true" }) : null,
    make("div", { class: "who" }, nameField(game, seat), game.sheet ? claimField(game, seat) : null),
    total || null, make("div", { class: "note" }, ...noteParts(game, seat)));
}

/** @type {(game: Game, seat: Seat) => any} */
function nameField(game, seat) {
  if (game.sheet) return make("strong", { class: "name" }, nameIn(seat.player));
  const colour = text(`page.colour.${seat.colour}`);
  return make("input", {
    class: "name", maxlength: $("seats").dataset.letters, autocomplete: "off", enterkeyhint: "next", dir: "auto",
    value: seat.player, placeholder: text("page.name-hint", { colour }), "aria-label": text("page.player", { colour }),
    change: ({ target }) => writeSeat(text("page.renamed", { player: target.value.trim() || colour }), game.id, seat,
      { player: target.value }),
  });
}

// A field for a total; what is no whole number is refused, and stays there to be mended.
/** @type {(value: string | number, write: (total: number | null) => unknown, attributes?: Attributes) => any} */
const numberField = (value, write, attributes = {}) => make("input", {
  inputmode: "numeric", maxlength: 3, class: "number", autocomplete: "off", value, ...attributes,
  change({ target }) {
    const word = target.value.trim();
    if (!word || WHOLE.test(word)) return write(word ? Number(word) : null);
    setTimeout(() => target.focus());
    return say(text("page.no-number", { word }));
  },
});

/** @type {(game: Game, seat: Seat) => any} */
const claimField = (game, seat) => make("label", { class: "claim" }, `${text("page.take-claim")} `,
  numberField(seat.claimed ?? "", (claimed) =>
    writeSeat(text("page.claimed", { total: claimed ?? "–" }), game.id, seat, { claimed })));

/** @type {(seat: Seat) => string} */
const totalLabel = (seat) => [nameOf(seat), totalText(seat), seat.counts === null ? text("page.doubtful") : "",
  seat.wins ? text("page.wins") : ""].filter(Boolean).join(", ");

// What there is to know of a seat: how claim and photo compare, and what settles it.
/** @type {(game: Game | InList, seat: Seat) => any[]} */
function noteParts(game, seat) {
  if (!game.sheet && seat.contradicts === null && !seat.elsewhere) return [];
  const parts = [seat.explanation, seat.verdict === "agrees" ? text("page.agrees") : "", seat.corrected ? text("page.corrected") : ""];
  /** @type {(accept: number | null) => unknown} */
  const settle = (accept) => writeSeat(
    text("page.settled", { player: nameOf(seat), total: accept ?? "–" }), game.id, seat, { accept, instead_of: seat.settled });
  /** @type {(name: string, key: string, total: number | null) => any} */
  const take = (name, key, total) => (total === null ? null
    : button(text(key, { total }), () => settle(total), { "data-accept": name }));
  const { phone, sheet } = seat.claims ?? { phone: seat.claimed, sheet: null };
  const tools = memory.evening.organiser && (seat.open || seat.settled !== null) ? make("p", { class: "tools" },
    take("photo", "page.take-photo", seat.score), take("claim", "page.take-claim-of", phone),
    take("sheet", "page.take-sheet", sheet),
    make("label", {}, `${text("page.take-number")} `, numberField(seat.settled ?? "", settle))) : null;
  const words = parts.filter(Boolean).join(" ");
  return [words ? make("p", {}, words) : null, tools].filter(Boolean);
}

// A difference with its kingdom, the mistake that explains it, and what settles it.
/** @type {(game: Game | InList, seat: Seat) => any} */
export const difference = (game, seat) => make("article", { class: "difference" },
  seat.photo ? cut(seat, { "aria-label": nameOf(seat) }) : make("span"),
  make("div", { class: "note" }, make("strong", {}, nameIn(nameOf(seat))), ...noteParts(game, seat)));

// A kingdom of which nobody knows whose it is: castles, or players where the sheet names no colours.
/** @type {(game: Game, kingdom: Unassigned) => any} */
function whoseCard(game, kingdom) {
  /** @type {(seat: Seat) => boolean} */
  const taken = (seat) => seat.photo !== null;
  const again = game.seats.find((seat) => seat.colour === kingdom.again);
  const seats = game.seats.filter((seat) => seat !== again && (!game.sheet || seat.player))
    .sort((seat, next) => Number(taken(seat)) - Number(taken(next)));
  /** @type {(seat: Seat, isSame?: boolean) => unknown} */
  const give = (seat, isSame = false) => place(
    text("page.given", { player: nameOf(seat) }), kingdom, seat.colour, isSame);
  const buttons = seats.map((seat) => button(nameIn(nameOf(seat)), () => give(seat),
    { class: `quiet ${game.colours ? `king-${seat.colour}` : ""}`, "data-give": seat.colour }));
  const nobody = button(text("page.nobody"), () => place(text("page.given-nobody"), kingdom, "nobody"));
  const question = text(again ? "page.again" : "page.whose", { player: again && nameOf(again) });
  const yes = again ? button(text("page.again-yes"), () => give(again, true), { "data-again": "yes" }) : null;
  const picture = game.hidden ? { href: null } : { "aria-label": text("page.kingdom") };
  return make("article", { class: "whose" }, cut(kingdom, picture),
    make("div", {}, make("p", {}, game.hidden ? question : `${question} (${totalText(kingdom)})`),
      make("p", { class: "tools" }, yes, ...buttons, nobody)));
}

// ---- photos on their way

// Draw the photos that wait, and those that were refused with the reason.
/** @type {(photos: Item[]) => void} */
export function drawPending(photos) {
  const going = photos.filter(({ error }) => !error), refused = photos.filter(({ error }) => error);
  redraw($("pending"), photos.map(({ key, error, stage }) => [key, error, stage]), () => {
    const cards = going.length > MOST_LINES ? [manyCard(going)] : going.map((photo) => goingCard(photo));
    return [...cards, ...refused.map((photo) => refusedCard(photo))];
  });
}

// Where a photo is: it waits for the network, is being sent, or is being read.
/** @type {(item: Item) => string} */
const stageText = ({ stage }) => text(`page.${stage ?? "waits-here"}`);

/** @type {(photo: any, ...words: Child[]) => any} */
function pendingCard(photo, ...words) {
  const address = URL.createObjectURL(photo);
  const forget = () => URL.revokeObjectURL(address);
  /** @type {(event: any) => void} */
  const hide = ({ target }) => target.remove();
  return make("article", { class: "pending" },
    make("img", { src: address, alt: "", load: forget, error: hide }), make("div", {}, ...words));
}

/** @type {(words: string) => any[]} */
const progress = (words) => [make("p", {}, words), make("progress", { "aria-label": words })];

/** @type {(item: Item) => any} */
const goingCard = (item) => pendingCard(item.photo, ...progress(stageText(item)));

/** @type {(items: Item[]) => any} */
function manyCard(items) {
  const first = items.find(({ stage }) => stage) ?? items[0];
  return pendingCard(first.photo, ...progress(`${text("page.photos-left", { n: items.length })} ${stageText(first)}`));
}

/** @type {(item: Item) => any} */
function refusedCard({ key, photo, error }) {
  const throwAway = () => discard(key);
  return pendingCard(photo, make("p", { role: "alert" }, error), make("p", { class: "tools" },
    make("label", { for: "camera", class: "act", click: throwAway }, text("page.retake")),
    button(text("page.discard"), throwAway)));
}

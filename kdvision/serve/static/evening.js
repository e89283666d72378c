// The evening: its ranking, its games with what each waits for, older evenings.

import { openEvening } from "./changes.js";
import { $, all, button, dayOf, make, nameIn, nameOf, redraw, text, totalText } from "./dom.js";
import { difference } from "./game.js";
import { game as shownGame, memory } from "./memory.js";

const COLOURS = ["pink", "yellow", "green", "blue"];
const ORDER = ["look", "claim", "photo", ""];
const MB = 1e6;

// Who stands on a line of the ranking, and with what.
/** @type {(line: { player: string }) => string} */
export const playerOf = ({ player }) => (COLOURS.includes(player) ? nameOf({ colour: player }) : player);
/** @type {(line: Line) => string} */
export const sumOf = ({ total, open }) => `${total}${open ? "?" : ""}`;
/** @type {(line: Line, kind: string) => any[]} */
export const cellsOf = (line, kind) => [make(kind, {}, `${line.rank}`), make(kind, {}, nameIn(playerOf(line))), make(kind, {}, sumOf(line))];

/** @type {(line: Line) => any} */
const ranksOf = (line) => make("tr", { class: line.open ? "open" : "" }, ...cellsOf(line, "td"));

// Draw the ranking and the games of an evening.
export function drawEvening() {
  const { evening, ranking } = memory, { organiser, sheet } = evening, shown = shownGame().id;
  redraw($("ranking"), ranking, () => ranking.map(ranksOf));
  for (const link of all("[download]")) {
    link.href = `${link.pathname}?evening=${evening.evening.id ?? ""}`;
    link.hidden = !organiser;
  }
  $("share").disabled = !ranking.length;
  $("share").textContent = text("canShare" in navigator ? "page.share" : "page.save-picture");
  $("evening-date").textContent = evening.evening.date ? dayOf(evening.evening) : "";
  if (document.activeElement !== $("evening-name")) $("evening-name").value = evening.evening.name ?? "";
  for (const id of ["evening-head", "older"]) $(id).hidden = !organiser;
  $("codes").hidden = !organiser || !sheet;
  $("problem").hidden = !evening.problem;
  $("problem").textContent = evening.problem ?? "";
  const games = evening.games.filter((game) => game.sheet || game.photos || game.id === shown);
  // Of a tournament those come first that ask for a person, else the latest.
  if (sheet) games.sort((game, next) => ORDER.indexOf(game.waits) - ORDER.indexOf(next.waits));
  else games.reverse();
  redraw($("games"), [games, organiser, shown], () => games.map((game) => gameItem(game, shown)));
  if (evening.low && $("low").hidden) $("older").open = true;
  $("low").hidden = !evening.low;
  const size = evening.evenings.find(({ id }) => id === evening.evening.id)?.bytes ?? 0;
  $("delete-evening").textContent = text("page.delete-evening", { mb: Math.ceil(size / MB) });
  redraw($("older-list"), [evening.evenings, evening.evening.id], () =>
    evening.evenings.map((past) => pastItem(past, evening.evening.id)));
}

/** @type {(seat: Seat) => string} */
const crowned = (seat) => `${seat.wins ? "♛ " : ""}${totalText(seat)}`;

/** @type {(game: InList, shown: string) => any} */
function gameItem(game, shown) {
  const sums = game.totals.flatMap((seat, at) => [at ? ", " : " ", nameIn(nameOf(seat)), ` ${crowned(seat)}`]);
  const waits = game.waits && (game.sheet || game.waits === "look")
    ? make("span", { class: `waits-for ${game.waits}` }, text(`page.waits.${game.waits}`)) : null;
  const link = make("a", { href: `#game/${game.id}` },
    make("strong", {}, text("page.game", { game: game.name })), ...sums, waits);
  // On a wide screen the game that is shown has its differences beside the list.
  return make("li", { class: game.id === shown ? "shown" : "" },
    link, ...game.open.map((seat) => difference(game, seat)));
}

/** @type {(past: OldEvening, shown: string) => any} */
const pastItem = (past, shown) => make("li", {}, button(`${dayOf(past)} ${past.name} (${Math.ceil(past.bytes / MB)} MB)`,
  () => openEvening(past.id), { "aria-pressed": `${past.id === shown}` }));

// The evening: its ranking, its games with what each waits for, older evenings, a picture to share.

import { $, boardOf, button, make, nameOf, redraw, say, text, totalText } from "./dom.js";
import { byRank, difference } from "./game.js";
import { failed } from "./net.js";

const COLOURS = ["pink", "yellow", "green", "blue"];
const ORDER = ["look", "claim", "photo", ""];
const MB = 1e6;

// The cells of a line of the ranking.
const cellsOf = ({ rank, player, total, open }) =>
  [rank, COLOURS.includes(player) ? nameOf({ colour: player }) : player, `${total}${open ? "?" : ""}`];

const ranksOf = (line) => make("tr", { class: line.open ? "open" : "" },
  ...cellsOf(line).map((words) => make("td", {}, `${words}`)));

// Draw the ranking and the games of an evening.
export function drawEvening(page) {
  const evening = page.evening(), { organiser, ranking, sheet } = evening, shown = page.game().id;
  redraw($("ranking"), ranking, () => ranking.map(ranksOf));
  for (const link of document.querySelectorAll("[download]")) {
    link.href = `${link.pathname}?evening=${evening.evening.id ?? ""}`;
    link.hidden = !sheet || !organiser;
  }
  $("share").disabled = !ranking.length;
  $("evening-date").textContent = evening.evening.date ? day(evening.evening) : "";
  if (document.activeElement !== $("evening-name")) $("evening-name").value = evening.evening.name ?? "";
  for (const id of ["evening-head", "codes", "older"]) $(id).hidden = !organiser;
  const games = evening.games.filter((game) => game.sheet || game.photos || game.id === shown);
  // Of a tournament those come first that ask for a person, else the latest.
  if (sheet) games.sort((game, next) => ORDER.indexOf(game.waits) - ORDER.indexOf(next.waits));
  else games.reverse();
  redraw($("games"), [games, organiser, shown], () => games.map((game) => gameItem(page, game, shown)));
  if (evening.low && $("low").hidden) $("older").open = true;
  $("low").hidden = !evening.low;
  redraw($("older-list"), [evening.evenings, evening.evening.id], () =>
    evening.evenings.map((past) => pastItem(page, past, evening.evening.id)));
}

const day = ({ date }) => new Date(`${date}T12:00`).toLocaleDateString(document.documentElement.lang,
  { weekday: "long", day: "numeric", month: "long", year: "numeric" });

const kingdomsOf = (game) => game.seats.filter((seat) => seat.photo && !game.hidden).sort(byRank);
const crowned = (seat) => `${seat.wins ? "♛ " : ""}${totalText(seat)}`;

function gameItem(page, game, shown) {
  const seats = kingdomsOf(game);
  const sums = seats.map((seat) => `${nameOf(seat)} ${crowned(seat)}`).join(", ");
  const waits = game.waits && (game.sheet || game.waits === "look")
    ? make("span", { class: `waits-for ${game.waits}` }, text(`page.waits.${game.waits}`)) : null;
  const link = make("a", { href: `#game/${game.id}` },
    make("strong", {}, text("page.game", { game: game.name })), ` ${sums}`, waits);
  const open = game.sheet && page.evening().organiser ? seats.filter((seat) => seat.open) : [];
  // On a wide screen the game that is shown has its differences beside the list.
  return make("li", { class: game.id === shown ? "shown" : "" },
    link, ...open.map((seat) => difference(page, game, seat)));
}

function pastItem(page, past, shown) {
  const evening = `${day(past)} ${past.name}`.trim();
  const remove = () => confirm(text("page.delete-sure", { evening })) && page.evenings("DELETE", `/${past.id}`);
  return make("li", {},
    button(evening, () => page.openEvening(past.id), { "aria-pressed": `${past.id === shown}` }),
    button(text("page.delete-evening", { mb: Math.ceil(past.bytes / MB) }), remove,
      { "aria-label": text("page.delete-evening-of", { evening }) }));
}

// Draw the ranking for a projector: in as many columns as fit, in the largest letters that fit, in px; a line
// of 16 letters fits on a phone.
export function drawLarge(ranking) {
  const list = $("large"), root = document.documentElement;
  redraw(list, ranking, () => ranking.map((line) =>
    make("li", { class: line.open ? "open" : "" }, ...cellsOf(line).map((words) => make("span", {}, `${words}`)))));
  for (let size = Math.min(64, innerWidth / 16); size > 12; size -= 2) {
    list.style.fontSize = `${size}px`;
    if (root.scrollHeight <= innerHeight) return;
  }
}

// ---- a picture to share

const CARD = { width: 1080, row: 220, edge: 40, paper: "#fbf8f1", ink: "#1c1a16", act: "#14532d" };

const loaded = (address) => new Promise((resolve) => {
  const picture = new Image();
  picture.onload = () => resolve(picture);
  picture.onerror = () => resolve(null);
  picture.src = address;
});

// A game with its kingdoms, drawn with this phone's own letters.
async function card(game) {
  const seats = kingdomsOf(game);
  const pictures = await Promise.all(seats.map((seat) => loaded(boardOf(seat))));
  const canvas = make("canvas", { width: CARD.width, height: 130 + CARD.row * seats.length + CARD.edge });
  const drawing = canvas.getContext("2d");
  const write = (words, x, y, size, weight, colour, most) => {
    drawing.font = `${weight} ${size}px system-ui, sans-serif`;
    drawing.fillStyle = colour;
    drawing.fillText(words, x, y, most);
  };
  drawing.fillStyle = CARD.paper;
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  write(text("page.game", { game: game.name }), CARD.edge, 90, 56, 700, CARD.act, 1000);
  for (const [at, seat] of seats.entries()) {
    const top = 130 + at * CARD.row, side = CARD.row - 20, picture = pictures[at];
    if (picture) {
      const share = Math.min(side / picture.width, side / picture.height);
      drawing.drawImage(picture, CARD.edge, top, picture.width * share, picture.height * share);
    }
    write(nameOf(seat), 280, top + 125, 60, 400, CARD.ink, 500);
    drawing.textAlign = "right";
    write(crowned(seat), CARD.width - CARD.edge, top + 130, 84, 700, CARD.act, 300);
    drawing.textAlign = "left";
  }
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new File([blob], "kingdoms.png", { type: "image/png" });
}

// Share the picture, or save it where the phone shares nothing.
export async function share(game) {
  try {
    const file = await card(game);
    if (navigator.canShare?.({ files: [file] })) {
      await navigator.share({ files: [file] });
      return;
    }
    make("a", { href: URL.createObjectURL(file), download: file.name }).click();
    say(text("page.shared"));
  } catch (error) {
    // A person who closes the phone's own dialog has changed their mind.
    if (error.name !== "AbortError") failed(error);
  }
}

// The evening: its ranking, its games with what each waits for, older evenings, a picture to share.

import { $, boardOf, button, make, nameOf, say, text, totalText } from "./dom.js";
import { byRank, noteParts } from "./game.js";
import { failed } from "./net.js";

const COLOURS = ["pink", "yellow", "green", "blue"];
const ORDER = ["look", "claim", "photo", ""];
// So long a part of the ranking stands on a projector, where it is longer than the screen.
const TURN_MS = 8000;
const MB = 1e6;

const playerOf = (line) => (COLOURS.includes(line.player) ? nameOf({ colour: line.player }) : line.player);
const lineOf = (line) => make("tr", { class: line.open ? "open" : "" },
  make("td", {}, `${line.rank}`), make("td", {}, playerOf(line)),
  make("td", {}, `${line.total}${line.open ? "?" : ""}`));

// Draw the ranking and the games of an evening.
export function drawEvening(page) {
  const evening = page.evening(), { organiser } = evening;
  $("ranking").replaceChildren(...evening.ranking.map(lineOf));
  for (const link of document.querySelectorAll("[download]")) {
    link.href = `${link.pathname}?evening=${evening.evening.id ?? ""}`;
  }
  $("share").disabled = !evening.ranking.length;
  $("evening-date").textContent = evening.evening.date ? day(evening.evening.date) : "";
  if (document.activeElement !== $("evening-name")) $("evening-name").value = evening.evening.name ?? "";
  for (const id of ["evening-head", "codes", "older"]) $(id).hidden = !organiser;
  const games = [...evening.games].reverse();
  // Of a tournament those come first that ask for a person.
  if (evening.sheet) games.sort((game, next) => ORDER.indexOf(game.waits) - ORDER.indexOf(next.waits));
  const drawn = JSON.stringify([games, organiser]);
  if ($("games").dataset.drawn !== drawn && !$("games").contains(document.activeElement?.closest("input"))) {
    $("games").dataset.drawn = drawn;
    $("games").replaceChildren(...games.map((game) => gameItem(page, game)));
  }
  drawOlder(page);
}

const day = (date) => new Date(`${date}T12:00`).toLocaleDateString(document.documentElement.lang,
  { weekday: "long", day: "numeric", month: "long", year: "numeric" });

function gameItem(page, game) {
  const seats = game.seats.filter((seat) => seat.photo && !game.hidden).sort(byRank);
  const sums = seats.map((seat) => `${seat.wins ? "♛ " : ""}${nameOf(seat)} ${totalText(seat)}`).join(", ");
  const link = make("a", { href: `#game/${game.id}`, "aria-label": `${text("page.open-game", { game: game.name })}: ${sums}` },
    make("strong", {}, text("page.game", { game: game.name })), ` ${sums}`);
  if (game.waits && (game.sheet || game.waits === "look")) {
    link.append(make("span", { class: `waits-for ${game.waits}` }, text(`page.waits.${game.waits}`)));
  }
  const drop = game.sheet || !page.evening().organiser ? null : button(text("page.delete"), () =>
    page.writeGame(text("page.game-deleted", { game: game.name }), { deleted: true }, game.id),
  { "aria-label": text("page.delete-game", { game: game.name }) });
  const open = game.sheet && page.evening().organiser
    ? seats.filter((seat) => seat.open) : [];
  return make("li", {}, link, drop, ...open.map((seat) => difference(page, game, seat)));
}

// A difference with its kingdom, the mistake that explains it, and what settles it.
function difference(page, game, seat) {
  const cut = make("a", { class: "cut", href: `#kingdom/${seat.photo}/${seat.letter}`, "aria-label": nameOf(seat) },
    make("img", { src: boardOf(seat, "&cell=28"), alt: "" }));
  return make("article", { class: "difference" }, cut,
    make("div", { class: "note" }, make("strong", {}, nameOf(seat)), ...noteParts(page, game, seat)));
}

// ---------------------------------------------------------------- evenings

function drawOlder(page) {
  const evening = page.evening(), shown = evening.evening.id;
  if (evening.low && $("low").hidden) $("older").open = true;
  $("low").hidden = !evening.low;
  $("older-list").replaceChildren(...evening.evenings.map((past) => make("li", {},
    button(`${day(past.date)} ${past.name}`, () => page.openEvening(past.id), { "aria-pressed": `${past.id === shown}` }),
    button(text("page.delete-evening", { mb: Math.ceil(past.bytes / MB) }), () =>
      page.confirmed(text("page.delete-sure", { evening: `${day(past.date)} ${past.name}`.trim() }), text("page.delete"),
        () => page.evenings("DELETE", `/${past.id}`)),
    { "aria-label": text("page.delete-evening-of", { evening: day(past.date) }) }))));
}

// ---------------------------------------------------------------- for a projector

let turned = 0, turning = 0;

// Draw the ranking large; what is longer than the screen is turned part by part.
export function drawLarge(ranking) {
  const table = $("large");
  table.replaceChildren(...ranking.map(lineOf));
  clearInterval(turning);
  const turn = () => {
    const lines = [...table.children], room = innerHeight - table.getBoundingClientRect().top - scrollY;
    const fit = Math.max(1, Math.floor(room / (lines[0]?.offsetHeight || room)));
    if (turned >= lines.length) turned = 0;
    lines.forEach((line, at) => { line.hidden = lines.length > fit && (at < turned || at >= turned + fit); });
    turned += fit;
  };
  turned = 0;
  turn();
  turning = setInterval(turn, TURN_MS);
}

// ---------------------------------------------------------------- a picture to share

const CARD = { width: 1080, row: 220, edge: 40, paper: "#fbf8f1", ink: "#1c1a16", act: "#14532d" };

const loaded = (address) => new Promise((resolve) => {
  const picture = new Image();
  picture.onload = () => resolve(picture);
  picture.onerror = () => resolve(null);
  picture.src = address;
});

// A game with its kingdoms, drawn with this phone's own letters.
async function card(game) {
  const seats = game.seats.filter((seat) => seat.photo && !game.hidden).sort(byRank);
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
    write(`${seat.wins ? "♛ " : ""}${totalText(seat)}`, CARD.width - CARD.edge, top + 130, 84, 700, CARD.act, 300);
    drawing.textAlign = "left";
  }
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new File([blob], "kingdoms.png", { type: "image/png" });
}

// Share the picture, or save it where the phone shares nothing.
export async function share(game, refresh) {
  try {
    await refresh();
    const file = await card(game);
    if (navigator.canShare?.({ files: [file] })) {
      await navigator.share({ files: [file] });
      return;
    }
    const link = make("a", { href: URL.createObjectURL(file), download: file.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say(text("page.shared"));
  } catch (error) {
    // A person who closes the phone's own dialog has changed their mind.
    if (error.name !== "AbortError") failed(error);
  }
}

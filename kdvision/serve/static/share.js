// A picture of the evening to share.

import { boardOf, dayOf, make, nameOf, say, text } from "./dom.js";
import { playerOf, sumOf } from "./evening.js";
import { game as shownGame, memory } from "./memory.js";
import { failed } from "./net.js";

const CARD = { width: 1080, head: 170, row: 150, edge: 40, paper: "#fbf8f1", ink: "#1c1a16", act: "#14532d" };
// So many lines a picture has at most: more are read on the page.
const MOST_LINES = 40;

/** @type {(address: string) => Promise<HTMLImageElement | null>} */
const loaded = (address) => new Promise((resolve) => {
  const picture = new Image();
  picture.onload = () => resolve(picture);
  picture.onerror = () => resolve(null);
  picture.src = address;
});

// The evening with its date, names and totals, and the kingdoms of the game that is shown.
async function card() {
  const { evening } = memory.evening, game = shownGame(), lines = memory.ranking.slice(0, MOST_LINES);
  const seats = game.hidden ? [] : game.seats.filter((seat) => seat.photo);
  const pictures = await Promise.all(lines.map((line) => {
    const seat = seats.find((each) => playerOf(line) === nameOf(each));
    return seat ? loaded(boardOf(seat)) : null;
  }));
  const canvas = make("canvas", { width: CARD.width, height: CARD.head + CARD.row * lines.length + CARD.edge });
  const drawing = canvas.getContext("2d");
  /** @type {(words: string, x: number, y: number, size: number, weight: number, colour: string, most: number) => void} */
  const write = (words, x, y, size, weight, colour, most) => {
    drawing.font = `${weight} ${size}px system-ui, sans-serif`;
    drawing.fillStyle = colour;
    drawing.fillText(words, x, y, most);
  };
  drawing.fillStyle = CARD.paper;
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  write(evening.name || "kdscore", CARD.edge, 80, 56, 700, CARD.act, 1000);
  write(dayOf(evening), CARD.edge, 135, 38, 400, CARD.ink, 1000);
  for (const [at, line] of lines.entries()) {
    const top = CARD.head + at * CARD.row, side = CARD.row - 16, picture = pictures[at];
    write(`${line.rank}`, CARD.edge, top + 95, 56, 700, CARD.act, 90);
    if (picture) {
      const share = Math.min(side / picture.width, side / picture.height);
      drawing.drawImage(picture, 140, top, picture.width * share, picture.height * share);
    }
    write(playerOf(line), 310, top + 95, 56, 400, CARD.ink, 500);
    drawing.textAlign = "right";
    write(sumOf(line), CARD.width - CARD.edge, top + 98, 76, 700, CARD.act, 200);
    drawing.textAlign = "left";
  }
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new File([blob], `kingdoms-${evening.date}.png`, { type: "image/png" });
}

// Share the evening, or save its picture where the phone shares nothing.
export async function share() {
  try {
    const file = await card(), { evening } = memory.evening;
    const lines = memory.ranking.map((line) => `${line.rank}. ${playerOf(line)} ${sumOf(line)}`);
    const words = [`${evening.name ?? ""} ${dayOf(evening)}`.trim(), ...lines.slice(0, MOST_LINES)].join("\n");
    if (navigator.canShare?.({ files: [file] })) {
      await navigator.share({ files: [file], text: words });
      return;
    }
    make("a", { href: URL.createObjectURL(file), download: file.name }).click();
    say(text("page.shared"));
  } catch (/** @type {any} */ error) {
    // A person who closes the phone's own dialog has changed their mind.
    if (error.name !== "AbortError") failed(error);
  }
}

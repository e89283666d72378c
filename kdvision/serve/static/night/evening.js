// The evening: its games, its ranking, and the game of the photo that is shown.

import { ask, lastOpened } from "../net.js";
import { $, make, makeButton, remember, remembered, say } from "./dom.js";
import { players, showNames } from "./kingdoms.js";
import { text } from "./texts.js";

const opening = lastOpened();
let keeping = false;

// Keep the game of the photo that `shown()` gives, again where it is kept already; `failed(error)`
// where that does not work.
export async function keep(shown, failed) {
  const names = players(), photo = shown().id;
  if (!Object.keys(names).length) {
    say(text("needsName"));
    document.querySelector("#kingdoms input").focus();
    return;
  }
  if (keeping) return;
  keeping = true;
  try {
    const asked = { photo, players: names };
    // The button may not know yet which game the photo is; another phone may have kept it.
    const own = gameOf(photo, (await ask("GET", "/api/games")).games);
    if (own) asked.game = own.game;
    const { game } = await ask("POST", "/api/games", asked);
    remember("players", [...new Set([...remembered("players", []), ...Object.values(names)])]);
    showNames();
    await showEvening(shown);
    say(text("kept", { game }));
  } catch (error) {
    failed(error);
  } finally {
    keeping = false;
  }
}

const gameOf = (photo, games) =>
  games.find((one) => one.players.some((had) => had.photo === photo));

// Draw the ranking and the games, and say on the button which game the photo is that `shown()` gives.
export async function showEvening(shown) {
  const isLast = opening();
  const [{ games }, found] = await Promise.all([
    ask("GET", "/api/games"), ask("GET", "/api/standings"),
  ]);
  if (!isLast()) return;
  $("evening").hidden = games.length === 0;
  const totals = found.totals?.length ? found.totals : found.games[0]?.players ?? [];
  $("ranking-head").replaceChildren(row("th", [text("rank"), text("player"), text("total")]));
  $("ranking").replaceChildren(...totals.map((one) =>
    row("td", [one.rank ?? one.ranks?.join("–") ?? "", one.player, one.total])));
  $("games").replaceChildren(...games.map((one) => gameItem(one, shown)));
  nameButton(shown() && gameOf(shown().id, games)?.game);
}

// Say on the button which game is kept by it: one that is there, or a new one.
export function nameButton(game) {
  $("keep").textContent = game ? text("keepAgain", { game }) : text("keep");
}

function gameItem({ game, players: had }, shown) {
  const sums = had.filter((one) => one.photo).map((one) => {
    const doubt = one.status === "sure" ? "" : ` (${text("notSure")})`;
    return `${one.player} ${one.score}${doubt}`;
  });
  const item = make("li", `${text("game", { game })}: ${sums.join(", ")} `);
  const drop = makeButton(text("drop"), async () => {
    await ask("DELETE", `/api/games/${encodeURIComponent(game)}`);
    await showEvening(shown);
  });
  drop.setAttribute("aria-label", text("dropGame", { game }));
  item.append(drop);
  return item;
}

function row(kind, cells) {
  const made = make("tr");
  made.append(...cells.map((cell) => make(kind, `${cell}`, kind === "th" ? { scope: "col" } : {})));
  return made;
}

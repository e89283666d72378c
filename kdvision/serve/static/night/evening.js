// The evening: its games, its ranking, and the game of the photo that is shown.

import { ask } from "../net.js";
import { $, make, makeButton, remember, remembered, say } from "./dom.js";
import { players, showNames } from "./kingdoms.js";
import { text } from "./texts.js";

// Keep the photo's game, again where it is kept already; `failed(error)` where that does not work.
export async function keep(photo, failed) {
  const names = players();
  if (!Object.keys(names).length) {
    say(text("needsName"));
    document.querySelector("#kingdoms input").focus();
    return;
  }
  try {
    const asked = { photo: photo.id, players: names };
    if ($("keep").dataset.game) asked.game = $("keep").dataset.game;
    const { game } = await ask("POST", "/api/games", asked);
    remember("players", [...new Set([...remembered("players", []), ...Object.values(names)])]);
    showNames();
    await showEvening(photo);
    say(text("kept", { game }));
  } catch (error) {
    failed(error);
  }
}

// Draw the ranking and the games, and say on the button which game the photo is.
export async function showEvening(photo) {
  const [{ games }, found] = await Promise.all([
    ask("GET", "/api/games"), ask("GET", "/api/standings"),
  ]);
  $("evening").hidden = games.length === 0;
  const totals = found.totals?.length ? found.totals : found.games[0]?.players ?? [];
  $("ranking-head").replaceChildren(row("th", [text("rank"), text("player"), text("total")]));
  $("ranking").replaceChildren(...totals.map((one) =>
    row("td", [one.rank ?? one.ranks?.join("–") ?? "", one.player, one.total])));
  $("games").replaceChildren(...games.map((one) => gameItem(one, photo)));
  const own = games.find((one) => one.players.some((had) => photo && had.photo === photo.id));
  $("keep").textContent = own ? text("keepAgain", { game: own.game }) : text("keep");
  $("keep").dataset.game = own?.game ?? "";
}

function gameItem({ game, players: had }, photo) {
  const sums = had.map((one) => {
    const doubt = one.status === "sure" ? "" : ` (${text("notSure")})`;
    return `${one.player} ${one.score}${doubt}`;
  });
  const item = make("li", `${text("game", { game })}: ${sums.join(", ")} `);
  const drop = makeButton(text("drop"), async () => {
    await ask("DELETE", `/api/games/${encodeURIComponent(game)}`);
    await showEvening(photo);
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

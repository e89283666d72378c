// Standings for all to see, which update by themselves.

import { clock, fillTexts, text } from "./texts.js";
import { make } from "./explained.js";
import { inOrder } from "../net.js";

const REFRESH_MS = 3000;
// Games shown below the totals: those of the last round, or so many of an evening.
const MOST_GAMES = 12;
const $ = (id) => document.getElementById(id);
const asking = inOrder();
let tag = "";
let since = null;

async function refresh() {
  const isNews = asking();
  try {
    const answer = await fetch("/api/beamer", { headers: tag ? { "If-None-Match": tag } : {} });
    if (answer.status !== 304) {
      const found = await answer.json();
      if (!answer.ok) throw new Error(found.error);
      if (!isNews()) return;
      tag = answer.headers.get("ETag") || "";
      show(found);
    }
    since = Date.now();
    $("when").textContent = text("at", { time: clock(since) });
    $("status").textContent = "";
  } catch {
    $("status").textContent = text("lost", { time: since ? clock(since) : "…" });
  }
}

const rankOf = (one) => one.rank ?? one.ranks?.join("–") ?? "";

function show(found) {
  const several = found.games.length > 1;
  $("totals").replaceChildren(...(several ? [ranking(found.totals)] : []));
  const last = found.games[found.games.length - 1]?.round;
  const games = (last ? found.games.filter((one) => one.round === last) : found.games).slice(-MOST_GAMES);
  $("games").replaceChildren(...games.map(drawGame));
  if (!found.games.length) $("totals").replaceChildren(make("p", text("nothingYet")));
}

function drawGame(game) {
  const part = make("article");
  const title = game.round ? text("inRound", game) : text("game", game);
  part.append(make("h2", title), ranking(game.players));
  return part;
}

function ranking(players) {
  const list = make("ol", "", "ranking");
  for (const one of players) {
    const item = make("li");
    const unsure = one.open || (one.note || "").includes("not sure");
    item.append(make("span", `${rankOf(one)}`, "rank"), make("span", one.player, "player"));
    const total = make("strong", `${one.total}${unsure ? " ?" : ""}`);
    if (unsure) total.title = text("notSure");
    item.append(total);
    list.append(item);
  }
  return list;
}

async function start() {
  fillTexts("standings");
  await refresh();
  setInterval(refresh, REFRESH_MS);
  document.body.dataset.ready = "yes";
}

start();

// Standings for all to see, which update by themselves: large, and without anybody at the mouse.

import { $, clock, make, text } from "../dom.js";
import { placeText } from "./line.js";
import { watched } from "../net.js";

const REFRESH_MS = 3000;
// What is longer than the screen moves on by most of a screen after so long.
const PAGE_MS = 9000;
const PAGE_SHARE = 0.85;
// Games shown below the totals: those of the last round, or so many of an evening.
const MOST_GAMES = 12;
const STEPS = 3;
// More leaders than these have no place on the steps: the list below has them all.
const MOST_LEADERS = 5;
const watching = watched("/api/beamer", show);
let since = null;

async function refresh() {
  try {
    await watching.look();
    since = Date.now();
    $("when").textContent = text("beamer.at", { time: clock(since) });
    $("status").textContent = "";
  } catch {
    $("status").textContent = text("beamer.lost", { time: since ? clock(since) : "…" });
  }
}

function show({ games, totals, tie_rule: tieRule }) {
  const several = games.length > 1;
  const entries = several ? totals : games[0]?.players ?? [];
  $("podium").replaceChildren(...steps(entries));
  const heading = make("h2", {}, text("beamer.after", { n: games.length }));
  $("totals").replaceChildren(...(several ? [heading, ranking(totals)] : []));
  const last = games.at(-1)?.round;
  const shown = (last ? games.filter((game) => game.round === last) : games).slice(-MOST_GAMES);
  $("games").replaceChildren(...shown.map(drawGame));
  $("legend").replaceChildren(...legend([...games.flatMap((game) => game.players), ...totals], tieRule));
  if (!games.length) $("totals").replaceChildren(make("p", {}, text("beamer.nothing-yet")));
}

const isUnsure = (entry) => Boolean(entry.open);
const isShared = (entry) => !entry.ranks && entry.shared;
const bestRank = (entry) => entry.rank ?? entry.ranks[0];
const rankText = (entry) =>
  (entry.ranks ? entry.ranks.join("–") : `${entry.rank}${isShared(entry) ? "=" : ""}`);
const totalText = (entry) => `${entry.total}${isUnsure(entry) ? "?" : ""}`;

// The leaders on their steps: the second left of the first, the third right of it.
function steps(entries) {
  const leaders = entries.filter((entry) => bestRank(entry) <= STEPS);
  if (leaders.length < 2 || leaders.length > MOST_LEADERS) return [];
  const order = [...leaders.filter((_, index) => index % 2).reverse(), ...leaders.filter((_, index) => index % 2 === 0)];
  return order.map((entry) => make("li", { class: `step step-${bestRank(entry)}`, "data-player": entry.player },
    make("span", { class: "name", title: entry.player }, entry.player),
    make("strong", {}, totalText(entry)),
    make("span", { class: "block" }, `${entry.rank === 1 ? "♛ " : ""}${rankText(entry)}`)));
}

function drawGame(game) {
  const title = game.round ? placeText(game.round, game.game)
    : text(document.body.dataset.game, { ...game, table: game.game });
  return make("article", {}, make("h2", {}, title), ranking(game.players));
}

const ranking = (entries) => make("ol", { class: "ranking" }, ...entries.map((entry) => make("li", {},
  make("span", { class: "rank" }, rankText(entry)),
  make("span", { class: "name", title: entry.player }, entry.player),
  make("strong", {}, totalText(entry)),
  tieOf(entry, entries))));

// What broke a tie of totals, or why none could.
function tieOf(entry, entries) {
  const isTie = "largest" in entry && entries.some((other) => other !== entry && other.total === entry.total);
  if (!isTie) return null;
  const known = entry.largest !== null && entry.crowns !== null;
  return make("small", {}, text(known && !entry.ranks ? "beamer.tie" : "beamer.tie-open", entry));
}

// The marks that are on the screen, and how ties are broken.
function legend(entries, tieRule) {
  if (!entries.length) return [];
  const marks = [["leader", entries.some((entry) => entry.rank === 1)], ["shared", entries.some(isShared)],
    ["open", entries.some((entry) => entry.ranks)], ["not-sure", entries.some(isUnsure)]];
  const said = marks.filter(([, there]) => there).map(([mark]) => text(`beamer.${mark}`));
  return [...said, text(`standings.tie-rule.${tieRule}`)].map((one) => make("li", {}, one));
}

// Nobody scrolls on a wall: what is longer than the screen is shown page by page.
function turnPage() {
  const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
  scrollTo({ top: atEnd ? 0 : scrollY + PAGE_SHARE * innerHeight });
}

async function start() {
  await refresh();
  setInterval(refresh, REFRESH_MS);
  setInterval(turnPage, PAGE_MS);
  document.body.dataset.ready = "yes";
}

start();

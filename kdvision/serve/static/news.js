// Brings what is new on the server into memory, and draws it.

import { $, say, text } from "./dom.js";
import { follow, game, memory, remember, route } from "./memory.js";
import { failed, request, watched } from "./net.js";

const WIDE = matchMedia("(min-width: 50rem)");

// Draws all that is shown from memory; the page gives it.
let drawing = () => {};
/** @type {(act: () => void) => void} */
export const drawBy = (act) => { drawing = act; };
export const draw = () => drawing();

// The photo whose kingdom is shown; null while another one is on its way.
export const photoShown = () => (memory.photo?.id === route().rest[0] ? memory.photo : null);

/** @type {(name: string) => string} */
const path = (name) => {
  const query = new URLSearchParams(), of = route().view === "kingdom" && photoShown()?.game || memory.moved;
  if (memory.older) query.set("evening", memory.older);
  if (of && name === "evening") query.set("game", of);
  return `/api/${name}?${query}`;
};

const refreshEvening = watched(() => path("evening"), async (latest) => {
  const before = game().id, { older, moved } = memory;
  memory.evening = latest;
  if (moved && game().id !== moved && route().view !== "kingdom") follow();
  remember("evening", latest);
  await load();
  const hasFollowed = !older && !moved && before && game().id !== before;
  if (hasFollowed && route().view === "game") say(text("page.new-begun", { game: game().name }));
});

const refreshRanking = watched(() => path("ranking"), (latest) => {
  memory.ranking = latest;
  draw();
});

export async function refresh() {
  await refreshEvening();
  $("offline").hidden = true;
  if (WIDE.matches || ["evening", "large"].includes(route().view)) await refreshRanking();
}

const refreshPhoto = watched(() => `/api/photos/${encodeURIComponent(route().rest[0])}`, async (latest) => {
  memory.photo = latest;
  // The photo is of another game than the one in memory.
  if (latest.game !== game().id) memory.evening = await request("GET", path("evening"));
});

const refreshLog = watched(() => `/api/games/${game().id}/log`, (entries) => {
  memory.log = { game: game().id, entries };
});

// Ask for what the view shows besides the evening, and draw all.
export async function load() {
  const { view, rest } = route();
  if (view === "kingdom") {
    await refreshPhoto().catch((error) => {
      if (error.status !== 404) throw error;
      failed(error);
      location.hash = "";
    });
  }
  if (view === "history") await refreshLog();
  if (view === "kingdom" && photoShown()?.views.every((each) => each.letter !== rest[1])) location.hash = "";
  draw();
}

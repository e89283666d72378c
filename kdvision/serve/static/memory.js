// All that this page remembers: what is drawn is drawn from here.

// What this phone keeps from one visit to the next, where it has room.
/** @type {(name: string, value: unknown) => void} */
export function remember(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch { /* It is asked for again. */ }
}

/** @type {(name: string, otherwise: any) => any} */
export function remembered(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

const VIEWS = ["game", "kingdom", "evening", "history", "large"];
// After so many seconds without a word an evening is no longer today's.
const OLD_S = 6 * 3600;

/** @type {Game} */
const NO_GAME = {
  id: "", name: "1", code: "", rules: {}, sheet: false, colours: true, hidden: false, waits: "", photos: 0, seats: [],
  unassigned: [], notes: [],
};
/** @type {Evening} */
const NO_EVENING = {
  evening: { id: "", date: "", name: "", last: Infinity }, current: { evening: "", game: null, name: null }, games: [],
  game: null, organiser: false, sheet: false, problem: "", evenings: [], low: false,
};

export const memory = {
  // The evening that is shown, with one of its games, and its ranking, as the server last gave them.
  evening: NO_EVENING,
  /** @type {Line[]} */
  ranking: [],
  // The photo whose kingdom is shown, and the history that is shown, with the game that it is of.
  /** @type {Photo | null} */
  photo: null,
  /** @type {{ game: string, entries: Entry[] }} */
  log: { game: "", entries: [] },
  // An older evening that is shown; empty for the current one.
  older: "",
  // A game that somebody opened; empty where this phone follows to what is current.
  moved: remembered("moved", ""),
  // The game for which a photo is being taken: another one may begin meanwhile.
  shotFor: "",
  // What waits on this phone, and photos that were refused, with the reason.
  /** @type {Item[]} */
  waiting: [],
  /** @type {Item[]} */
  refused: [],
  // What was changed here and is being saved, by what it is about.
  /** @type {Map<string, any>} */
  saving: new Map(),
  // What undo takes back.
  /** @type {{ label: string, entries: number[] } | null} */
  lastChange: null,
  // The squares that are lit up on the board, the kingdom that is drawn, and whether squares are added to it.
  lit: "", kingdom: "", adding: false,
  // The page of the ranking that a projector shows.
  turned: 0,
};

// ---- where this phone is

export const route = () => {
  const [view, ...rest] = location.hash.slice(1).split("/").map(decodeURIComponent);
  return { view: VIEWS.includes(view) ? view : "game", rest };
};

export const game = () => memory.evening.game ?? NO_GAME;

// Show a game, and stay there. A phone that shows the current game follows to the next.
/** @type {(id: string | null) => void} */
export function move(id) {
  memory.moved = !memory.older && id === memory.evening.current.game ? "" : id ?? "";
  remember("moved", memory.moved);
}

export const follow = () => move(memory.evening.current.game);

// Whether the evening that is shown is not today's.
export const isOld = () => Boolean(memory.older) && memory.older !== memory.evening.current.evening
  || !memory.evening.sheet && Date.now() / 1000 - memory.evening.evening.last > OLD_S;

// ---- what was changed here, and is not saved yet

/** @type {(key: string) => Item | undefined} */
const waitingFor = (key) => memory.waiting.findLast((item) => item.shows && key in item.shows);

// What is shown of a thing: what was changed here, else what the server says.
/** @type {(key: string, saved?: any) => any} */
export function shown(key, saved) {
  if (memory.saving.has(key)) return memory.saving.get(key);
  return waitingFor(key)?.shows?.[key] ?? saved;
}

/** @type {(key: string) => boolean} */
export const isSaving = (key) => memory.saving.has(key) || Boolean(waitingFor(key));

// Elements, and sentences in the language of the page.

const SVG = "http://www.w3.org/2000/svg";

/** @type {(id: string) => any} */
export const $ = (id) => document.getElementById(id);
/** @type {(selector: string) => any[]} */
export const all = (selector) => [...document.querySelectorAll(selector)];

/** @type {(made: any, attributes: Attributes, children: Child[]) => any} */
function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// An element with attributes, listeners (attributes that are functions) and children.
/** @type {(name: string, attributes?: Attributes, ...children: Child[]) => any} */
export const make = (name, attributes = {}, ...children) =>
  filled(document.createElement(name), attributes, children);

/** @type {(name: string, attributes?: Attributes, ...children: Child[]) => any} */
export const makeSvg = (name, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, name), attributes, children);

/** @type {(content: Child, click: (event: any) => unknown, attributes?: Attributes) => any} */
export const button = (content, click, attributes = {}) =>
  make("button", { type: "button", class: "quiet", click, ...attributes }, content);

/** @type {Record<string, string>} */
const sentences = JSON.parse($("sentences")?.textContent || "{}");
const FIELD = /\{(@?)(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g;
// Letters that run from right to left: such a name is kept apart from the sentence around it.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** @type {(words: string) => string} */
const apart = (words) => (RIGHT_TO_LEFT.test(words) ? `\u2068${words}\u2069` : words);

// A sentence of the catalogue with its fields, as the server renders it.
/** @type {(key: string, fields?: Record<string, any>) => string} */
export function text(key, fields = {}) {
  return sentences[key].replace(FIELD, (_, mark, name, single, many) => {
    if (mark) return text(fields[name], fields);
    if (single !== undefined) return fields[name] === 1 ? single : many;
    return apart(`${fields[name]}`);
  });
}

// Who sits on a seat: where nobody said it, the colour of its castle.
/** @type {(seat: { player?: string, colour: string }) => string} */
export const nameOf = (seat) => seat.player || text(`page.colour.${seat.colour}`);
/** @type {(words: string, attributes?: Attributes) => any} */
export const nameIn = (words, attributes = {}) => make("bdi", attributes, words);

// The total of a kingdom, with a question mark where there is doubt; a dash where there is none.
/** @type {(read: Pick<Seat, "score" | "status"> & { counts?: number | null }) => string} */
export function totalText({ score, counts = null, status }) {
  const total = counts ?? score;
  if (total === null) return "–";
  return counts === null && status !== "sure" ? `${total}?` : `${total}`;
}

// The picture of a kingdom in a photo; its address changes with what it shows.
/** @type {(placed: Placed, size?: string) => string} */
export const boardOf = (placed, size = "") =>
  `/api/photos/${placed.photo}/boards/${placed.letter ?? "A"}?v=${encodeURIComponent(placed.kingdom ?? "")}${size}`;

/** @type {(day: { date: string }) => string} */
export const dayOf = ({ date }) => new Date(`${date}T12:00`).toLocaleDateString(document.documentElement.lang,
  { weekday: "long", day: "numeric", month: "long", year: "numeric" });

// The sentence in the live region, which screen readers read out.
/** @type {(sentence: string) => void} */
export const say = (sentence) => { $("status").textContent = sentence; };

const drawn = new WeakMap();

// Draw a box anew where its state is another one. Nobody who is writing in it is interrupted, and the
// focus stays where it was.
/** @type {(box: any, state: unknown, children: () => any[]) => void} */
export function redraw(box, state, children) {
  const shown = JSON.stringify(state), focus = document.activeElement;
  if (drawn.get(box) === shown || (box.contains(focus) && focus?.matches("input"))) return;
  const stops = () => [...box.querySelectorAll("a[href], button, input")];
  const at = stops().indexOf(focus);
  drawn.set(box, shown);
  box.replaceChildren(...children());
  stops()[at]?.focus({ preventScroll: true });
}

// ---- faces of squares

/** @type {Record<string, string>} */
const TERRAINS = { W: "wheat", F: "forest", L: "lake", G: "grassland", S: "swamp", M: "mine", C: "castle" };

/** @type {(terrain: string) => string} */
export const letterOf = (terrain) =>
  Object.keys(TERRAINS).find((letter) => TERRAINS[letter] === terrain) ?? "-";
/** @type {(face: string) => number} */
const crownsOf = (face) => Number(face[1]) || 0;

/** @type {(face: string) => string} */
export function faceName(face) {
  const terrain = `terrain.${TERRAINS[face[0]] ?? "empty"}`, crowns = crownsOf(face);
  return crowns ? text("page.face", { terrain, crowns }) : text(terrain);
}

// The picture of a terrain in its colour, with crowns.
/** @type {(face: string) => any} */
export function faceMark(face) {
  const kind = face === "-" ? "empty" : face[0];
  const drawn = makeSvg("svg", { viewBox: "0 0 32 32", "aria-hidden": "true" },
    makeSvg("use", { href: `#face-${kind}` }));
  const crowns = make("span", { class: "crowns", "aria-hidden": "true" }, "♛".repeat(crownsOf(face)));
  return make("span", { class: `mark face-${kind}` }, drawn, crowns);
}

// The history of a game: who said what and when, taken back and put back.

import { takeBack } from "./changes.js";
import { $, button, make, redraw, text } from "./dom.js";

/** @type {(entry: Entry) => string} */
const timeOf = ({ at }) => new Date(1000 * at).toLocaleTimeString(document.documentElement.lang,
  { hour: "2-digit", minute: "2-digit" });

/** @type {(entry: Entry) => string} */
function offerOf({ undone, what }) {
  if (undone) return text("page.redo");
  return text(what === "deleted" ? "page.bring-back" : "page.take-back");
}

// Draw the entries of a log, the latest first.
/** @type {(log: Entry[]) => void} */
export const drawHistory = (log) => redraw($("log"), log, () => log.toReversed().map((entry) => {
  const words = make("span", { class: entry.undone ? "undone" : "" }, make("bdi", {}, entry.text));
  const offer = offerOf(entry);
  return make("li", {}, make("small", {}, `${timeOf(entry)} ${entry.device}`), words,
    button(offer, () => takeBack(entry.id, !entry.undone), { "aria-label": `${offer}: ${entry.text}` }));
}));

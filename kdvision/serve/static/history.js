// The history of a game: who said what and when, taken back and put back.

import { takeBack } from "./changes.js";
import { $, button, make, redraw, text } from "./dom.js";

const timeOf = ({ at }) => new Date(1000 * at).toLocaleTimeString(document.documentElement.lang,
  { hour: "2-digit", minute: "2-digit" });

// Draw the entries of a log, the latest first.
export const drawHistory = (log) => redraw($("log"), log, () => log.toReversed().map((entry) => {
  const words = make("span", { class: entry.undone ? "undone" : "" }, make("bdi", {}, entry.text));
  const again = entry.undone ? "page.redo" : entry.what === "deleted" ? "page.bring-back" : "page.take-back";
  return make("li", {}, make("small", {}, `${timeOf(entry)} ${entry.device}`), words,
    button(text(again), () => takeBack(entry.id, !entry.undone), { "aria-label": `${text(again)}: ${entry.text}` }));
}));

// The ranking for a projector, page by page where not all of it fits.

import { $, make, redraw, text } from "./dom.js";
import { cellsOf } from "./evening.js";
import { memory } from "./memory.js";

// Sizes of letters in px: as large as all lines fit in, but so large that a hall reads them, page by page.
const LARGEST = 64;
const SMALLEST = 20;
// The width of a column with what is between two, in letters.
const COLUMN = 17.5;
// The height of a line, in letters.
const LINE = 1.45;
// So long a page stands.
const PAGE_MS = 10_000;
let turning = 0;

// How many lines of a size fit: columns times rows, below and above what else stands there.
/** @type {(size: number) => { columns: number, rows: number, lines: number }} */
function fit(size) {
  const columns = Math.max(1, Math.floor((innerWidth - 20) / (COLUMN * size)));
  const rows = Math.max(1, Math.floor((innerHeight - 130) / (LINE * size)));
  return { columns, rows, lines: columns * rows };
}

// Draw a page of the ranking.
/** @type {(ranking: Line[]) => void} */
export function drawLarge(ranking) {
  let size = Math.min(LARGEST, innerWidth / 17);
  while (size > SMALLEST && fit(size).lines < ranking.length) size -= 1;
  const { columns, lines } = fit(size), pages = Math.max(1, Math.ceil(ranking.length / lines));
  memory.turned %= pages;
  const shown = ranking.slice(memory.turned * lines, (memory.turned + 1) * lines);
  $("turn").hidden = pages === 1;
  $("turn").onclick = () => turnLarge(ranking);
  $("turn").textContent = text("page.page-of", { page: memory.turned + 1, pages });
  redraw($("large"), [shown, size, columns], () => shown.map((line) =>
    make("li", { class: line.open ? "open" : "" }, ...cellsOf(line, "span"))));
  Object.assign($("large").style, { fontSize: `${size}px`, columnCount: columns });
  clearTimeout(turning);
  turning = pages === 1 ? 0 : setTimeout(() => turnLarge(ranking), PAGE_MS);
}

/** @type {(ranking: Line[]) => void} */
function turnLarge(ranking) {
  if (document.body.dataset.view !== "large") return;
  memory.turned += 1;
  drawLarge(ranking);
}


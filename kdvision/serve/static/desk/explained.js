// One line of a table: what was claimed, what was read, and the photo with the mistake between.

import { corners, placing } from "../geometry.js";
import { ask } from "../net.js";
import { text } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
// Of more explanations than this the claim tells nothing.
const MOST_SHOWN = 3;
// The two taps of a double tap are no further apart; phones take 300 ms, desks at most 500.
const DOUBLE_TAP_MS = 500;
// A sign beside every colour.
export const SIGNS = { waiting: "…", agrees: "✓", differs: "≠", look: "?", settled: "✓" };

export function make(name, content = "", kind = "") {
  const made = document.createElement(name);
  made.textContent = content;
  if (kind) made.className = kind;
  return made;
}

export function button(content, act, kind = "quiet") {
  const made = make("button", content, kind);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

export function badge(state) {
  return make("span", `${SIGNS[state]} ${text(state)}`, `badge ${state}`);
}

export const stateOf = (line) => (line.accepted ? "settled" : line.state);

export function flagTexts(line) {
  return line.flags.map(({ flag, text: said }) =>
    flag === "clash" && said ? said : text(flag, { text: said }));
}

export const totalOf = (line) => {
  if (!line.accepted) return line.read;
  if (line.accepted.what === "number") return line.accepted.total;
  return line.accepted.what === "photo" ? line.read : line.claimed;
};

// Two taps: the first says what the second will do. The second tap of a double tap does nothing.
export function twice(content, question, act) {
  const made = button(content, async () => {
    if (!made.dataset.asked) {
      const asked = question();
      if (!asked) return;
      made.dataset.asked = "yes";
      made.textContent = asked;
      made.classList.remove("quiet");
      made.ariaDisabled = "true";
      setTimeout(() => { made.ariaDisabled = null; }, DOUBLE_TAP_MS);
      return;
    }
    if (made.ariaDisabled) return;
    made.disabled = true;
    await act();
  });
  return made;
}

// What a line says, above its photo.
export function summary(line) {
  const body = make("div");
  body.append(badge(stateOf(line)));
  const sums = make("dl", "", "sums");
  for (const [name, value] of [["claimed", line.claimed], ["read", line.read]]) {
    const missing = text(name === "claimed" ? "noClaim" : "noPhoto");
    sums.append(make("dt", text(name)), make("dd", value === null ? missing : `${value}`));
  }
  body.append(sums);
  if (line.accepted) {
    const said = { n: totalOf(line), by: line.accepted.by };
    body.append(make("p", text("accepted", said)));
  }
  for (const said of flagTexts(line)) body.append(make("p", said, "flag"));
  return body;
}

function kingdomOf(photo, line) {
  const index = line.letter ? line.letter.charCodeAt(0) - 65 : 0;
  return photo.kingdoms[Math.min(index, photo.kingdoms.length - 1)];
}

// The sentences that explain a difference, and the squares that they are about.
export function explanation(line) {
  const body = make("div");
  if (line.verdict === "differs" && line.difference) {
    const off = Math.abs(line.difference);
    body.append(make("p", text(line.difference > 0 ? "difference" : "differenceLess", { n: off })));
  }
  if (line.mistakes.length > 1) body.append(make("p", text("several")));
  const said = line.mistakes.slice(0, MOST_SHOWN).map((one) => one.text);
  if (!said.length && line.message && line.verdict !== "agrees") said.push(line.message);
  const list = make("ul");
  list.append(...said.map((one) => make("li", one)));
  if (said.length) body.append(list);
  return body;
}

function marked(photo, kingdom, cells) {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", `0 0 ${photo.photo_size.join(" ")}`);
  picture.setAttribute("aria-hidden", "true");
  const place = placing(kingdom);
  for (const [row, col] of cells) {
    const square = document.createElementNS(SVG, "polygon");
    square.setAttribute("points", corners(place, row, col).map((at) => at.join(",")).join(" "));
    square.setAttribute("class", "mistake");
    picture.append(square);
  }
  return picture;
}

// The photo of a line with what was read drawn over it, and the likeliest mistake marked.
export async function explained(line) {
  const body = summary(line);
  if (!line.photo) return body;
  const photo = await ask("GET", `/api/photos/${line.photo}`);
  const kingdom = kingdomOf(photo, line);
  body.append(explanation(line));
  if (!photo.kept) return body;
  const frame = make("div", "", "shown");
  const image = make("img");
  image.src = `/api/photos/${line.photo}/overlay`;
  image.alt = text("read");
  const [first] = line.verdict === "differs" ? line.mistakes : [];
  frame.append(image, marked(photo, kingdom, first ? first.cells : []));
  body.append(frame);
  return body;
}

// A photo with what was read drawn over it: its kingdoms can be tapped, mistakes are marked.
export function photoFrame(photo, lines, tapped) {
  const frame = make("div", "", "shown");
  if (photo.kept) {
    const image = make("img");
    image.src = `/api/photos/${photo.id}/overlay`;
    image.alt = text("read");
    frame.append(image);
  }
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", `0 0 ${photo.photo_size.join(" ")}`);
  photo.kingdoms.forEach((kingdom, index) => {
    const letter = String.fromCharCode(65 + index);
    const area = document.createElementNS(SVG, "polygon");
    area.setAttribute("points", kingdom.corners.map((at) => at.join(",")).join(" "));
    area.setAttribute("class", "area");
    area.setAttribute("role", "button");
    area.setAttribute("tabindex", "0");
    area.setAttribute("aria-label", `${text("kingdom")} ${letter}, ${kingdom.score}`);
    area.addEventListener("click", () => tapped(letter));
    area.addEventListener("keydown", (event) => { if (event.key === "Enter") tapped(letter); });
    picture.append(area);
  });
  for (const line of lines) {
    const [first] = line.verdict === "differs" ? line.mistakes : [];
    if (first) picture.append(...marked(photo, kingdomOf(photo, line), first.cells).childNodes);
  }
  frame.append(picture);
  return frame;
}

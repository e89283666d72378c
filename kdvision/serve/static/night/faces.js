// What can lie on a square: its names, and the buttons that show it.

import { make } from "./dom.js";
import { count, text } from "./texts.js";

const LETTERS = { wheat: "W", forest: "F", lake: "L", grassland: "G", swamp: "S", mine: "M" };
const SVG = "http://www.w3.org/2000/svg";

// "W2" of a square of the JSON; "C" for the castle, "-" for nothing.
export function faceOf(square) {
  if (square.terrain === "empty") return "-";
  if (square.terrain === "castle") return "C";
  return LETTERS[square.terrain] + (square.crowns || "");
}

export function faceName(face) {
  if (face === "-") return text("empty");
  if (face === "C") return text("castle");
  const terrain = text(Object.keys(LETTERS).find((name) => LETTERS[name] === face[0]));
  if (face.length === 1) return terrain;
  return `${terrain}, ${count("crown", Number(face[1]))}`;
}

// Why the box cannot hold a face on a place, in a sentence.
export function reasonText(face, reason) {
  const places = reason.places.join(", ");
  const key = reason.code.replaceAll("-", "");
  return text(key, { face: faceName(face), held: reason.held, places });
}

// A button with the picture of a face. What is excluded can be tapped as well, and says why.
export function faceButton(face, reason, act) {
  const kind = face === "-" ? "empty" : face[0];
  const name = faceName(face);
  const button = make("button", "", {
    type: "button", class: `face face-${kind}`, title: name, "data-face": face,
    "aria-label": reason ? reasonText(face, reason) : name,
  });
  button.append(icon(kind), make("span", face === "-" ? "·" : face[0], { class: "letter" }));
  button.append(make("span", "♛".repeat(Number(face[1]) || 0), { class: "crowns" }));
  if (reason) button.setAttribute("aria-disabled", "true");
  button.addEventListener("click", act);
  return button;
}

function icon(kind) {
  const drawn = document.createElementNS(SVG, "svg");
  drawn.setAttribute("viewBox", "0 0 32 32");
  drawn.setAttribute("aria-hidden", "true");
  const used = document.createElementNS(SVG, "use");
  used.setAttribute("href", `#face-${kind}`);
  drawn.append(used);
  return drawn;
}

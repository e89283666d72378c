// The kingdoms of a photo as cards: total, player, territories, bonuses.

import { $, make, makeButton, ofPhoto, remembered, rememberOfPhoto, say } from "./dom.js";
import { bestOf, letter, lightUp, totalText } from "./picture.js";
import { count, text } from "./texts.js";

const BONUSES = [["harmony", "harmony"], ["middle_kingdom", "middle"]];

// Draw the cards; `renamed()` is called when a player got another name.
export function drawKingdoms(photo, renamed) {
  const best = bestOf(photo);
  $("kingdoms").replaceChildren(...photo.kingdoms.map((kingdom, index) => {
    const card = make("article");
    card.append(heading(kingdom, index, kingdom.score === best));
    card.append(nameField(photo, index, renamed));
    const list = make("ul");
    for (const one of kingdom.territories) list.append(territory(one, index));
    for (const [key, name] of BONUSES) {
      const bonus = kingdom.bonuses[key];
      const values = { name: text(name), points: bonus.points };
      if (bonus.counted) list.append(make("li", text("bonus", values), { class: "plain" }));
    }
    card.append(list);
    const problems = kingdom.problems.map((one) => make("p", one.message, { lang: "en" }));
    card.append(...problems);
    return card;
  }));
}

function heading(kingdom, index, leads) {
  const name = text("kingdom", { letter: letter(index) });
  const made = make("h3", `${name}: ${kingdom.scored ? kingdom.score : text("noTotal")}`);
  if (kingdom.status !== "sure") {
    const others = kingdom.alternatives.filter((one) => one.score !== kingdom.score).slice(0, 2);
    const also = kingdom.scored ? others.map((one) => text("or", { total: one.score })) : [];
    made.append(make("span", `? ${[...also, text("notSure")].join(", ")}`, { class: "unsure" }));
  }
  if (leads) made.append(make("span", `♛ ${text("leads")}`, { class: "leads" }));
  return made;
}

function nameField(photo, index, renamed) {
  const label = make("label", `${text("player")} `);
  const field = make("input", "", {
    maxlength: "60", autocomplete: "off", list: "names", "data-kingdom": letter(index),
    "aria-label": `${text("player")}, ${text("kingdom", { letter: letter(index) })}`,
  });
  field.value = ofPhoto(photo.id).names[letter(index)] || "";
  field.addEventListener("change", () => {
    rememberOfPhoto({ ...ofPhoto(photo.id), names: players() });
    renamed();
  });
  label.append(field);
  return label;
}

// The names that are written, by the letters of the kingdoms.
export function players() {
  const found = {};
  for (const field of document.querySelectorAll("#kingdoms input")) {
    if (field.value.trim()) found[field.dataset.kingdom] = field.value.trim();
  }
  return found;
}

// The sum of a territory as a button that lights its squares up, and puts them out again.
function territory(one, index) {
  const item = make("li");
  const sum = sumOf(one);
  const button = makeButton(sum, () => {
    const lit = button.getAttribute("aria-pressed") !== "true";
    for (const other of $("kingdoms").querySelectorAll("[aria-pressed]")) {
      other.setAttribute("aria-pressed", String(lit && other === button));
    }
    lightUp($("overlay"), index, lit ? one.cells : []);
    if (!lit) return;
    say(sum);
    $("board").scrollIntoView({ block: "nearest" });
  });
  button.setAttribute("aria-pressed", "false");
  item.append(button);
  return item;
}

// grassland: 11 squares × 6 crowns = 66
export function sumOf({ terrain, squares, crowns, points }) {
  const values = { squares: count("square", squares), crowns: count("crown", crowns), points };
  return text("sumOf", { terrain: text(terrain), sum: text("sum", values) });
}

// Offer the names that were used before.
export function showNames() {
  $("names").replaceChildren(...remembered("players", []).map((name) => {
    const option = make("option");
    option.value = name;
    return option;
  }));
}

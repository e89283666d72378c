// The game: who plays, the kingdoms so far by rank, and those of which nobody said whose they are.

import { $, button, make, text } from "../dom.js";

const rows = new Map();
// Pictures of photos on their way, by their keys: drawn once, let go when they are gone.
const previews = new Map();

export const boardOf = (one, size = "") =>
  `/api/photos/${one.photo}/boards/${one.letter}?v=${encodeURIComponent(one.size + one.kingdom_line)}${size}`;
const SMALL = "&cell=28";

// The switches of the bonuses; each has the name of its rule as its id.
export const bonuses = () => [...document.querySelectorAll("#rules [role=switch]")];

export const nameOf = (player) => player.player || text(`page.colour.${player.colour}`);

export function totalText(kingdom) {
  if (kingdom.score === null) return "–";
  return kingdom.status === "sure" ? `${kingdom.score}` : `${kingdom.score}?`;
}

// Draw a game; `page` gives its players and takes changes.
export function drawGame(page) {
  const game = page.game();
  drawPlayers(page, game);
  $("unplaced").replaceChildren(...game.unplaced.map((one) => whoseCard(page, game, one)));
  for (const bonus of bonuses()) bonus.checked = game.rules[bonus.id];
  $("size").value = game.rules.size ?? "auto";
  $("rules-set").textContent = bonuses().filter((bonus) => bonus.checked)
    .map((bonus) => text(`bonus.${bonus.id}`)).join(", ");
  $("new").hidden = !game.players.some((player) => player.photo);
}

// Rows stay the same elements: nobody who is typing is interrupted by what comes from elsewhere.
function drawPlayers(page, game) {
  const players = [...game.players];
  for (const [index, colour] of page.colours().entries()) {
    const seat = index + 1;
    if (!players.some((one) => one.seat === seat)) {
      players.push({ seat, colour, player: "", photo: null, score: null });
    }
  }
  const drawn = players.map((player) => drawPlayer(page, player));
  const typing = $("players").contains(document.activeElement) && document.activeElement.matches("input");
  const same = drawn.every((row, at) => $("players").children[at] === row);
  if (!same && (!typing || drawn.length !== $("players").children.length)) {
    $("players").replaceChildren(...drawn);
  }
}

function drawPlayer(page, player) {
  let row = rows.get(player.seat);
  if (!row) {
    const name = make("input", {
      maxlength: 60, autocomplete: "off", list: "names", enterkeyhint: "next",
      change: () => page.rename(player.seat, name.value.trim()),
    });
    row = make("li", { "data-seat": player.seat },
      make("a", { class: "cut", tabindex: -1, "aria-hidden": "true" }), name, make("a", { class: "total" }));
    rows.set(player.seat, row);
  }
  const [cut, name, total] = row.children;
  row.className = `player king-${player.colour}${player.photo ? "" : " waits"}`;
  if (document.activeElement !== name) name.value = player.player;
  name.placeholder = text(`page.colour.${player.colour}`);
  name.setAttribute("aria-label", text("page.player", { colour: text(`page.colour.${player.colour}`) }));
  const board = player.photo ? boardOf(player, SMALL) : "";
  if (row.dataset.board !== board) {
    row.dataset.board = board;
    cut.replaceChildren(...(board ? [make("img", { src: board, alt: "" })] : []));
  }
  for (const link of [cut, total]) {
    if (player.photo) link.href = `#kingdom/${player.photo}/${player.letter}`;
    else link.removeAttribute("href");
  }
  total.replaceChildren(...(player.photo ? totalParts(player) : []));
  if (player.photo) total.setAttribute("aria-label", totalLabel(player));
  else total.removeAttribute("aria-label");
  return row;
}

function totalParts(player) {
  const crown = player.wins ? make("span", { class: "crown", "aria-hidden": "true" }, "♛ ") : null;
  return [crown, totalText(player)].filter(Boolean);
}

function totalLabel(player) {
  const key = player.score === null ? "page.show-none"
    : player.status === "sure" ? "page.show" : "page.show-unsure";
  const said = text(key, { player: nameOf(player), total: player.score });
  return player.wins ? `${text("page.wins", { player: nameOf(player) })}. ${said}` : said;
}

// A kingdom of which nobody said whose it is, with the names as buttons.
function whoseCard(page, game, one) {
  const field = `kingdom.${one.photo}.${one.letter}`;
  const players = [...game.players].sort((a, b) => Boolean(a.photo) - Boolean(b.photo) || a.seat - b.seat);
  const names = players.map((player) =>
    button(nameOf(player), () => page.write({ [field]: player.seat }),
      { class: `quiet king-${player.colour}${player.photo ? " taken" : ""}` }));
  const nobody = button(text("page.nobody"), () => page.write({ [field]: 0 }));
  const link = make("a", { class: "cut", href: `#kingdom/${one.photo}/${one.letter}`, "aria-label": text("page.kingdom") },
    make("img", { src: boardOf(one, SMALL), alt: "" }));
  return make("article", { class: "whose" }, link,
    make("div", {}, make("p", {}, `${text("page.whose")} (${totalText(one)})`),
      make("p", { class: "tools" }, ...names, nobody)));
}

// ---------------------------------------------------------------- photos on their way

export function drawPending(page, photos) {
  const keys = new Set(photos.map((photo) => photo.key));
  for (const [key, preview] of previews) {
    if (keys.has(key)) continue;
    URL.revokeObjectURL(preview.querySelector("img").src);
    previews.delete(key);
  }
  $("pending").replaceChildren(...photos.map((photo) => pendingCard(page, photo)));
}

function pendingCard(page, photo) {
  let card = previews.get(photo.key);
  if (!card) {
    card = make("article", { class: "pending", "data-key": photo.key },
      make("img", { src: URL.createObjectURL(photo.photo), alt: "" }),
      make("div", {}, make("p"), make("progress", { max: 1, value: 0, "aria-label": text("page.sending") })));
    previews.set(photo.key, card);
  }
  const [sentence, bar] = card.lastChild.children;
  bar.hidden = Boolean(photo.error);
  sentence.textContent = photo.error ?? text("page.sending");
  if (photo.error && card.lastChild.children.length === 2) {
    card.lastChild.append(button(text("page.discard"), () => page.discard(photo.key)));
  }
  return card;
}

// The bar fills while the photo goes up, and moves to and fro while it is scored.
export function showProgress(key, share) {
  const card = previews.get(key);
  if (!card) return;
  const [sentence, bar] = card.lastChild.children;
  if (share < 1) bar.value = share;
  else bar.removeAttribute("value");
  sentence.textContent = text(share < 1 ? "page.sending" : "page.scoring");
}

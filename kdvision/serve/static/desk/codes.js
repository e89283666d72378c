// The QR codes of all tables, to be printed and laid out.

import { fillTexts, placeText, text } from "./texts.js";
import { make } from "./explained.js";
import { ask } from "../net.js";

const $ = (id) => document.getElementById(id);

function code({ round, table, token }) {
  const figure = make("figure");
  const picture = make("img");
  picture.src = `/api/board/code.svg?${new URLSearchParams({ round, table })}`;
  picture.alt = `QR: ${placeText(round, table)}`;
  figure.append(picture, make("figcaption", `${placeText(round, table)} · ${token}`));
  return figure;
}

async function start() {
  fillTexts("codes");
  try {
    const { codes } = await ask("GET", "/api/board/codes");
    $("codes").replaceChildren(...codes.map(code));
  } catch (error) {
    $("status").textContent = text("failed", { why: error.message });
  }
  document.body.dataset.ready = "yes";
}

start();

// One square, enlarged: what it looks like, what it may be, and what the box cannot hold there.

import { ask, lastOpened } from "../net.js";
import { corners, placing } from "../geometry.js";
import { $, makeButton } from "./dom.js";
import { faceButton, faceName, reasonText } from "./faces.js";
import { sumOf } from "./kingdoms.js";
import { fullName, shownName } from "./picture.js";
import { text } from "./texts.js";

// So much of the surroundings is shown around a square, in squares.
const AROUND = 0.3;
const opening = lastOpened();

// Open the dialog of a square; `settle(place, face)` is called with the face that was tapped, and
// `failed(error)` where the server cannot be asked.
export async function openSquare(photo, index, row, col, { settle, failed }) {
  const kingdom = photo.kingdoms[index];
  const place = fullName(kingdom, index, row, col);
  const isLast = opening();
  Object.assign($("square").dataset, { place, ready: "" });
  $("square-name").textContent = shownName(photo, place);
  $("square-sum").textContent = kingdom.territories
    .filter((one) => one.cells.some(([r, c]) => r === row && c === col)).map(sumOf).join("");
  for (const id of ["likely", "faces", "reason"]) $(id).replaceChildren();
  showCrop(isLast, photo, kingdom, row, col);
  if (!$("square").open) $("square").showModal();
  try {
    const answer = await ask("GET", `/api/photos/${photo.id}/squares/${place}`);
    if (isLast()) showFaces(photo, answer, (face) => settle(place, face));
  } catch (error) {
    if (isLast()) $("square").close();
    failed(error);
  }
}

function showFaces(photo, { place, likely, faces }, settle) {
  const shown = (reason) =>
    reason && { ...reason, places: reason.places.map((one) => shownName(photo, one)) };
  const reasons = Object.fromEntries(faces.map(({ face, reason }) => [face, shown(reason)]));
  const button = (face) => faceButton(face, reasons[face], () =>
    reasons[face] ? explain(face, reasons[face], settle) : settle(face));
  $("likely").replaceChildren(...likely.map(button));
  $("faces").replaceChildren(...faces.map(({ face }) => button(face)));
  ($("likely").firstElementChild ?? $("faces").firstElementChild).focus();
  $("square").dataset.ready = place;
}

// Say why a face cannot be; a person may know better.
function explain(face, reason, settle) {
  $("reason").textContent = reasonText(face, reason);
  $("reason").append(makeButton(text("anyway", { face: faceName(face) }), () => settle(face)));
  $("reason").scrollIntoView({ block: "nearest" });
}

// The crop of a square, once the photo is there: never that of the square or the photo before.
function showCrop(isLast, ...square) {
  const picture = $("picture"), canvas = $("crop");
  canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
  const draw = () => { if (isLast()) drawCrop(...square); };
  if (picture.complete) draw();
  else picture.addEventListener("load", draw, { once: true });
}

// The real picture of the square, with a little around it, as large as the dialog allows.
function drawCrop(photo, kingdom, row, col) {
  const picture = $("picture"), canvas = $("crop");
  if (!picture.naturalWidth) return;  // it is no longer kept
  const scale = picture.naturalWidth / photo.photo_size[0];
  const points = corners(placing(kingdom), row, col);
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis] * scale));
  const side = (1 + 2 * AROUND) *
    Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const [x, y] = [xs, ys].map((values) => (Math.max(...values) + Math.min(...values)) / 2);
  const drawing = canvas.getContext("2d");
  const from = [x - side / 2, y - side / 2, side, side];
  drawing.drawImage(picture, ...from, 0, 0, canvas.width, canvas.height);
  const onCanvas = points.map(([px, py]) =>
    [(px * scale - from[0]) / side * canvas.width, (py * scale - from[1]) / side * canvas.height]);
  drawing.strokeStyle = "#fff";
  drawing.lineWidth = 3;
  drawing.beginPath();
  for (const point of onCanvas) drawing.lineTo(...point);
  drawing.closePath();
  drawing.stroke();
}

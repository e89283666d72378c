// Photos on their way: they wait on this phone until the server has answered, and are sent once.

import { dequeue, enqueue, newKey, Refused, send, waiting } from "../net.js";
import { $, say } from "./dom.js";
import { text } from "./texts.js";

const RETRY_MS = 2500;
let sending = false;

// Keep a photo that was chosen, and send it; `options` are the rules of the game.
export async function take(input, options, shown) {
  const [file] = input.files;
  input.value = "";
  if (!file) return;
  await enqueue({ key: newKey(), photo: file, name: file.name, options });
  await sendAll(shown);
}

// Send what waits, one photo after the other, until the network fails, also what comes to it
// meanwhile; `shown(answer)` for each.
export async function sendAll(shown) {
  if (sending) return;
  sending = true;
  try {
    for (let upload; (upload = (await waiting())[0]);) await sendOne(upload, shown);
  } catch (error) {
    const left = (await waiting()).length;
    say(error.message === "busy" ? text("busy") : text("waiting", { n: left }));
    setTimeout(() => sendAll(shown), RETRY_MS);
  } finally {
    sending = false;
    $("progress").hidden = true;
  }
}

async function sendOne(upload, shown) {
  say(text("sending"));
  $("progress").hidden = false;
  try {
    const answer = await send(upload, showProgress);
    await dequeue(upload.key);
    shown(answer);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await dequeue(upload.key);
    say(text("failed", { why: error.message }));
  }
}

// The bar fills while the photo goes up, and moves to and fro while it is scored.
function showProgress(share) {
  if (share < 1) {
    $("progress").value = share;
  } else {
    $("progress").removeAttribute("value");
    say(text("scoring"));
  }
}

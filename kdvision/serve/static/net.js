// Requests, and photos that wait on this phone until the server has them.

import { say, text } from "./dom.js";

// What waits on this phone, by its key.
const STORE = "uploads";

function open() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open("kdscore", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "key" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

async function inStore(mode, act) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode);
    const asked = act(transaction.objectStore(STORE));
    // Nothing is kept before the end: that a phone has no room may be said only then.
    transaction.oncomplete = () => resolve(asked.result);
    transaction.onabort = () => reject(transaction.error ?? asked.error);
  }).finally(() => database.close());
}

export class Refused extends Error {
  constructor(message, status, code = "") {
    super(message);
    Object.assign(this, { status, code });
  }
}

// What went wrong, in the language of the page: the server speaks it as well.
export const whyNot = (error) =>
  (error instanceof Refused ? error.message : text("page.offline"));
export const failed = (error) => say(whyNot(error));

// The server says no for good: with any other answer the same may go through later.
const FOR_GOOD = [403, 404, 409, 410, 413, 415, 422];
// No answer takes so long: a photo that is stuck is sent again, after the others.
const ANSWER_MS = 120_000;
// What there is new is asked for again so soon.
const NEWS_MS = 10_000;

// A network that was lost without a word is not waited for, where the browser can tell the time.
const fetched = (path, options, time) => fetch(path, { ...options, signal: AbortSignal.timeout?.(time) });

async function answered(answer) {
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(body.error || `${answer.status}`, answer.status, body.code);
  return body;
}

// The answer of the server to a form or to JSON. Rejects with Refused where it says no, and with
// another error where it does not answer.
export async function ask(method, path, data) {
  const options = { method, headers: {}, body: data };
  if (data !== undefined && !(data instanceof FormData)) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(data);
  }
  return answered(await fetched(path, options, ANSWER_MS));
}

export function sendPhoto({ options, key, photo, name }) {
  const form = new FormData();
  for (const [option, value] of Object.entries({ ...options, key })) form.append(option, value);
  form.append("photo", photo, name);
  return ask("POST", "/api/photos", form);
}

// A function that asks what the server says at a path, and has it shown where it is news. One call
// follows the other: what is shown later is never older.
export function watched(pathOf, show) {
  let tag = "", path = "", turn = Promise.resolve();
  async function look() {
    if (path !== pathOf()) tag = "";
    path = pathOf();
    const answer = await fetched(path, { headers: tag ? { "If-None-Match": tag } : {} }, NEWS_MS);
    if (answer.status === 304) return;
    await show(await answered(answer));
    tag = answer.headers.get("ETag") || "";
  }
  return () => {
    turn = turn.catch(() => {}).then(look);
    return turn;
  };
}

// ---- photos on their way

// A photo reads as well at this longer side and quality as at twice the side (docs/serve.md).
const LONG_SIDE_PX = 2600;
const QUALITY = 0.85;
// A file of so many bytes is sent as it is.
const SMALL_BYTES = 900_000;
const RETRY_MS = 2500;

// A photo, upright and no larger than it must be; as it is where this browser cannot open it.
async function scaled(file) {
  if (file.size <= SMALL_BYTES) return file;
  try {
    const bitmap = await createImageBitmap(file);
    const share = Math.min(1, LONG_SIDE_PX / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * share);
    canvas.height = Math.round(bitmap.height * share);
    const drawing = canvas.getContext("2d");
    drawing.imageSmoothingQuality = "high";
    drawing.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const made = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
    return made && made.size < file.size ? made : file;
  } catch {
    return file;
  }
}

// Keys of their own, in the order of time, also where the clock is put back.
let latest = 0;
function newKey() {
  latest = Math.max(latest + 1, Date.now());
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [latest, "-", ...[...bytes].map((byte) => byte.toString(16).padStart(2, "0"))].join("");
}

// The photos that a page sends, each once and in their order; `send(item)` sends one. The page is told:
// `changed(items)` with what waits, `arrived(answer)`, `refused(error, item)`, `later(error, items)`
// where none can be sent now, and `unkept()` where this browser keeps none.
export function outbox(page, send = sendPhoto) {
  const memory = new Map();
  let sending = false, timer = 0;

  async function all() {
    const kept = await inStore("readonly", (store) => store.getAll()).catch(() => []);
    const items = [...kept.filter((item) => !memory.has(item.key)), ...memory.values()];
    return items.sort((item, next) => (item.key < next.key ? -1 : 1));
  }

  const store = (item) => inStore("readwrite", (items) => items.put(item));

  async function drop(key) {
    memory.delete(key);
    await inStore("readwrite", (items) => items.delete(key)).catch(() => {});
    page.changed(await all());
  }

  async function add(file, about) {
    const item = { key: newKey(), name: file.name || "photo.jpg", photo: file, ...about };
    memory.set(item.key, { ...item, raw: true });
    page.changed(await all());
    // A page that is closed meanwhile has it as it was taken.
    [item.photo] = await Promise.all([scaled(file), store(item).catch(() => {})]);
    try {
      await store(item);
      memory.delete(item.key);
    } catch {
      memory.set(item.key, item);
      page.unkept();
    }
    await run();
  }

  async function sendOne(item) {
    try {
      const answer = await send(item);
      await drop(item.key);
      await page.arrived(answer);
      return null;
    } catch (error) {
      // What the server cannot take now it takes later; only what it refuses for good is dropped.
      if (!FOR_GOOD.includes(error.status)) return error;
      await drop(item.key);
      page.refused(error, item);
      return null;
    }
  }

  // Send what waits, also what comes to it meanwhile.
  async function run() {
    if (sending) return;
    sending = true;
    clearTimeout(timer);
    page.changed(await all());
    const tried = new Set();
    let failure = null;
    const next = async () => (await all()).find((item) => !tried.has(item.key) && !item.raw);
    for (let item = await next(); item; item = await next()) {
      tried.add(item.key);
      failure = await sendOne(item) ?? failure;
    }
    sending = false;
    if (!failure) return;
    page.later(failure, await all());
    timer = setTimeout(run, RETRY_MS);
  }

  return { add, run };
}

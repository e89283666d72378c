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

// Answers may come in another order than they were asked for. To be called where something is asked
// for; what it gives is called once the answer is there, and says whether no newer one is shown yet.
export function inOrder() {
  let asked = 0, shown = 0;
  return () => {
    const mine = ++asked;
    return () => {
      if (mine < shown) return false;
      shown = mine;
      return true;
    };
  };
}

export class Refused extends Error {
  constructor(message, status, code = "") {
    super(message);
    Object.assign(this, { status, code });
  }
}

// What went wrong, in the language of the page: the server speaks it as well.
export const whyNot = (error) =>
  (error instanceof Refused ? text("page.failed", { why: error.message }) : text("page.offline"));
export const failed = (error) => say(whyNot(error));

// The server says no for good: with any other answer the same may go through later.
const FOR_GOOD = [403, 404, 409, 410, 413, 415, 422];
// A photo that makes no progress for so long is stuck; the next one goes first.
const STUCK_MS = 30_000;
// No answer takes so long: fifty photos before this one have six seconds each.
const ANSWER_MS = 300_000;

// Send a photo; `progress` is called with the share that has left, 0 to 1. Rejects with Refused
// where the server says no, and with another error where it does not answer.
export function sendPhoto({ options, key, photo, name }, progress) {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    for (const [option, value] of Object.entries(options)) form.append(option, value);
    form.append("key", key);
    form.append("photo", photo, name);
    const request = new XMLHttpRequest();
    let stuck = 0;
    const within = (time) => {
      clearTimeout(stuck);
      stuck = setTimeout(() => request.abort(), time);
    };
    within(STUCK_MS);
    request.upload.onprogress = (event) => {
      within(event.loaded < event.total ? STUCK_MS : ANSWER_MS);
      progress(event.loaded / Math.max(event.total, 1));
    };
    request.onloadend = () => clearTimeout(stuck);
    request.onload = () => {
      const answer = read(request.responseText);
      if (request.status < 300) resolve(answer);
      else reject(new Refused(answer.error || `${request.status}`, request.status));
    };
    request.onerror = request.onabort = () => reject(new Error("network"));
    request.open("POST", "/api/photos");
    request.send(form);
  });
}

function read(words) {
  try {
    return JSON.parse(words);
  } catch {
    return {};
  }
}

// A network that was lost without a word is not waited for, where the browser can tell the time.
const fetched = (path, options, time) => fetch(path, { ...options, signal: AbortSignal.timeout?.(time) });

async function answered(answer) {
  const body = read(await answer.text());
  if (!answer.ok) throw new Refused(body.error || `${answer.status}`, answer.status, body.code);
  return body;
}

export async function ask(method, path, data) {
  const options = { method, headers: {} };
  if (data !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(data);
  }
  return answered(await fetched(path, options, ANSWER_MS));
}

// What the server says at a path, again and again: `look()` has it shown where it is news, with the
// tag that the server gave it. What was asked for before `changed()` is news no more.
export function watched(pathOf, show) {
  const asking = inOrder();
  let tag = "";
  return {
    async look() {
      const isNews = asking();
      const answer = await fetched(pathOf(), { headers: tag ? { "If-None-Match": tag } : {} }, STUCK_MS);
      if (answer.status === 304) return;
      const news = await answered(answer);
      if (!isNews()) return;
      const given = answer.headers.get("ETag") || "";
      await show(news, given);
      tag = given;
    },
    changed() {
      asking()();
      tag = "";
    },
  };
}

// ---------------------------------------------------------------- photos on their way

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

// The photos that a page sends, each once; `send(item, progress)` sends one. The page is told:
// `changed(items)` with what waits, `progress(key, share)`, `arrived(answer, item)`,
// `refused(error, item)`, `later(error, items)` where none can be sent now, and `unkept()` where this
// browser keeps none. What fails goes behind what has not.
export function outbox(page, send = sendPhoto) {
  const memory = new Map();
  let sending = false, timer = 0;

  async function all() {
    const kept = await inStore("readonly", (store) => store.getAll()).catch(() => []);
    const items = [...kept.filter((item) => !memory.has(item.key)), ...memory.values()];
    const tries = (item) => item.tries ?? 0;
    return items.sort((item, next) => tries(item) - tries(next) || (item.key < next.key ? -1 : 1));
  }

  const store = (item) => inStore("readwrite", (items) => items.put(item));

  async function keep(item) {
    try {
      await store(item);
      memory.delete(item.key);
    } catch {
      memory.set(item.key, item);
      page.unkept();
    }
  }

  async function drop(key) {
    memory.delete(key);
    await inStore("readwrite", (store) => store.delete(key)).catch(() => {});
    page.changed(await all());
  }

  async function add(file, about) {
    const item = { key: newKey(), name: file.name || "photo.jpg", photo: file, ...about };
    memory.set(item.key, { ...item, raw: true });
    page.changed(await all());
    // A page that is closed meanwhile has it as it was taken.
    [item.photo] = await Promise.all([scaled(file), store(item).catch(() => {})]);
    await keep(item);
    await run();
  }

  async function sendOne(item) {
    try {
      const answer = await send(item, (share) => page.progress(item.key, share));
      await drop(item.key);
      await page.arrived(answer, item);
      return null;
    } catch (error) {
      // What the server cannot take now it takes later; only what it refuses for good is dropped.
      if (FOR_GOOD.includes(error.status)) {
        await drop(item.key);
        page.refused(error, item);
        return null;
      }
      await keep({ ...item, tries: (item.tries ?? 0) + 1 });
      return error;
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

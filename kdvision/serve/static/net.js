// Requests, and what waits on this phone until the server has it: photos, names and claims.

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

/** @type {(mode: IDBTransactionMode, act: (items: IDBObjectStore) => IDBRequest) => Promise<any>} */
async function inStore(mode, act) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode);
    const asked = act(transaction.objectStore(STORE));
    // Only the end counts: a phone that has no room may say so as late as that.
    transaction.oncomplete = () => resolve(asked.result);
    transaction.onabort = () => reject(transaction.error ?? asked.error);
  }).finally(() => database.close());
}

export class Refused extends Error {
  /** @param {string} message @param {number} status @param {string} [code] */
  constructor(message, status, code = "") {
    super(message);
    Object.assign(this, { status, code });
  }
}

// What went wrong, in the language of the page: the server speaks it as well.
/** @type {(error: unknown) => string} */
export const whyNot = (error) =>
  (error instanceof Refused ? error.message : text("page.offline"));
/** @type {(error: unknown) => void} */
export const failed = (error) => say(whyNot(error));

// The server says no for good: with any other answer the same may go through later.
const FOR_GOOD = [403, 404, 409, 410, 413, 415, 422];
// An answer that takes longer is given up: a photo that is stuck is sent again, after the others.
const ANSWER_MS = 120_000;
// A question for news that takes longer is given up, and asked again.
const NEWS_MS = 10_000;

// Give up after some time, where the browser can: a network may be lost without a word.
/** @type {(path: string, options: RequestInit, time: number) => Promise<Response>} */
const fetched = (path, options, time) => fetch(path, { ...options, signal: AbortSignal.timeout?.(time) });

/** @type {(answer: Response) => Promise<any>} */
async function answered(answer) {
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(body.error || `${answer.status}`, answer.status, body.code);
  return body;
}

// The answer of the server to JSON. Rejects with Refused where it says no, and with another error where
// it does not answer.
/** @type {(method: string, path: string, data?: unknown) => Promise<any>} */
export async function request(method, path, data) {
  /** @type {RequestInit & { headers: Record<string, string> }} */
  const options = { method, headers: {} };
  if (data !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(data);
  }
  return answered(await fetched(path, options, ANSWER_MS));
}

// Send a photo; `sent` is called once all of it is on its way, and the server reads it.
/** @type {(item: any, sent?: () => unknown) => Promise<any>} */
export function sendPhoto({ options, key, photo, name }, sent = () => {}) {
  const form = new FormData();
  for (const [option, value] of Object.entries({ ...options, key })) form.append(option, value);
  form.append("photo", photo, name);
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    const lost = () => reject(new Error("network"));
    call.open("POST", "/api/photos");
    Object.assign(call, { responseType: "json", timeout: ANSWER_MS, onerror: lost, ontimeout: lost, onabort: lost });
    call.upload.onload = sent;
    call.onload = () => {
      const body = call.response ?? {};
      if (call.status < 300) resolve(body);
      else reject(new Refused(body.error || `${call.status}`, call.status, body.code));
    };
    call.send(form);
  });
}

// Make a function that asks the server, and shows what it says if that is new. Calls go one after the
// other, so that nothing older is shown later.
/** @type {(pathOf: () => string, show: (latest: any) => unknown) => () => Promise<void>} */
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

// ---- what is on its way

// A photo reads as well at this longer side and quality as at twice the side.
const LONG_SIDE_PX = 2600;
const QUALITY = 0.85;
// A file of so many bytes is sent as it is.
const SMALL_BYTES = 900_000;
const RETRY_MS = 2500;

// A photo, upright and no larger than it must be; as it is where this browser cannot open it.
/** @type {(file: Blob) => Promise<Blob>} */
async function scaled(file) {
  if (file.size <= SMALL_BYTES) return file;
  try {
    const bitmap = await createImageBitmap(file);
    const share = Math.min(1, LONG_SIDE_PX / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * share);
    canvas.height = Math.round(bitmap.height * share);
    const drawing = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    drawing.imageSmoothingQuality = "high";
    drawing.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const made = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
    return made && made.size < file.size ? made : file;
  } catch {
    return file;
  }
}

// Keys in the order of time, each once, also where the clock is put back.
let latest = 0;
function newKey() {
  latest = Math.max(latest + 1, Date.now());
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [latest, "-", ...[...bytes].map((byte) => byte.toString(16).padStart(2, "0"))].join("");
}

/** @type {(item: Item, sent: () => unknown) => Promise<any>} */
const sendItem = (item, sent) => (item.call ? request(...item.call) : sendPhoto(item, sent));

// What a page sends, each once and in its order; `send(item, sent)` sends one. The page is told:
// `changed(items)` with what waits (the one that is `sending`, then `read`), `arrived(answer, item)`,
// `refused(error, item)`, `later(error, items)` where none can be sent now, and `unkept()` where this
// browser keeps none.
/** @type {(page: OutboxPage, send?: (item: Item, sent: () => unknown) => Promise<any>) => Outbox} */
export function outbox(page, send = sendItem) {
  // What this browser has not kept yet, or cannot keep, and how far each is, by their keys.
  const unkept = new Map(), stages = new Map();
  let sending = false, timer = 0;

  /** @type {() => Promise<Item[]>} */
  async function all() {
    /** @type {Item[]} */
    const kept = await inStore("readonly", (store) => store.getAll()).catch(() => []);
    const items = [...kept.filter((item) => !unkept.has(item.key)), ...unkept.values()];
    items.sort((item, next) => (item.key < next.key ? -1 : 1));
    return items.map((item) => ({ ...item, stage: stages.get(item.key) }));
  }

  /** @type {(item: Item) => Promise<any>} */
  const store = (item) => inStore("readwrite", (items) => items.put(item));
  const show = async () => page.changed(await all());

  /** @type {(key: string) => Promise<void>} */
  async function drop(key) {
    unkept.delete(key);
    stages.delete(key);
    await inStore("readwrite", (items) => items.delete(key)).catch(() => {});
    await show();
  }

  // Keep an item, which `finish` may make smaller meanwhile, and send it.
  /** @type {(item: Item, finish: () => Promise<object>) => Promise<void>} */
  async function keep(item, finish) {
    unkept.set(item.key, { ...item, raw: true });
    await show();
    // A page that is closed meanwhile has it as it was taken.
    const [finished] = await Promise.all([finish(), store(item).catch(() => {})]);
    Object.assign(item, finished);
    try {
      await store(item);
      unkept.delete(item.key);
    } catch {
      unkept.set(item.key, item);
      page.unkept();
    }
    await run();
  }

  /** @type {Outbox["add"]} */
  const add = (file, about) => keep({ key: newKey(), name: file.name || "photo.jpg", photo: file, ...about },
    async () => ({ photo: await scaled(file) }));
  // A call that says the same however often it is made: method, path and data.
  /** @type {Outbox["addCall"]} */
  const addCall = (call, about) => keep({ key: newKey(), call, ...about }, async () => ({}));

  /** @type {(item: Item) => Promise<any>} */
  async function sendOne(item) {
    /** @type {(name: string) => Promise<unknown>} */
    const stage = (name) => { stages.set(item.key, name); return show(); };
    try {
      await stage("sending");
      const answer = await send(item, () => stage("read"));
      await drop(item.key);
      await page.arrived(answer, item);
      return null;
    } catch (/** @type {any} */ error) {
      stages.delete(item.key);
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
    const tried = new Set();
    let failure = null;
    const next = async () => (await all()).find((item) => !tried.has(item.key) && !item.raw);
    for (let item = await next(); item; item = await next()) {
      tried.add(item.key);
      failure = await sendOne(item) ?? failure;
    }
    sending = false;
    await show();
    if (!failure) return;
    page.later(failure, await all());
    timer = setTimeout(run, RETRY_MS);
  }

  return { add, addCall, run };
}

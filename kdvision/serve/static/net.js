// Requests, and photos that wait until the network is back: sent once, however often it fails.

const STORE = "uploads";

function open(name) {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(name, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "key" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

async function inStore(name, mode, act) {
  const database = await open(name);
  return new Promise((resolve, reject) => {
    const asked = act(database.transaction(STORE, mode).objectStore(STORE));
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

// What waits under a name; each has a key, and they come back in the order of their keys.
export const queue = (name) => ({
  waiting: () => inStore(name, "readonly", (store) => store.getAll()),
  enqueue: (upload) => inStore(name, "readwrite", (store) => store.put(upload)),
  dequeue: (key) => inStore(name, "readwrite", (store) => store.delete(key)),
});
export const { waiting, enqueue, dequeue } = queue("kdscore");

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

// The same for what a person opens: it says whether nothing else has been opened since.
export function lastOpened() {
  let opened = 0;
  return () => {
    const mine = ++opened;
    return () => mine === opened;
  };
}

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The code of a table that this page was opened with: for what is handed in there.
const token = new URLSearchParams(location.search).get("token");
const OWN_TABLE = token ? { "X-Kdscore-Table": token } : {};

export class Refused extends Error {}

// Answers after which the same photo may go through later: nothing is given up for them.
const LATER = [401, 403, 408, 421, 429, 502, 504];

// Send a photo; `progress` is called with the share that has left, 0 to 1. Rejects with Refused where the server says no, and
// with another error where it cannot be reached.
export function send(upload, progress) {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(upload.options)) form.append(name, value);
    form.append("key", upload.key);
    form.append("photo", upload.photo, upload.name);
    const request = new XMLHttpRequest();
    request.upload.onprogress = (event) => progress(event.loaded / Math.max(event.total, 1));
    request.onload = () => {
      if (request.status === 503) return reject(new Error("busy"));
      if (LATER.includes(request.status)) return reject(new Error("network"));
      const answer = read(request.responseText);
      if (request.status < 300) return resolve(answer);
      return reject(new Refused(answer.error || `${request.status}`));
    };
    request.onerror = () => reject(new Error("network"));
    request.open("POST", "/api/photos");
    for (const [name, value] of Object.entries(OWN_TABLE)) request.setRequestHeader(name, value);
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

export async function ask(method, path, data) {
  const options = { method, headers: { ...OWN_TABLE } };
  if (data !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(data);
  }
  const answer = await fetch(path, options);
  const found = answer.status === 204 ? {} : read(await answer.text());
  if (!answer.ok) throw new Refused(found.error || `${answer.status}`);
  return found;
}
